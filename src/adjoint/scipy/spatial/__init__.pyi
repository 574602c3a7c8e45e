# Written by stubs/generate.py; do not edit.
from adjoint.scipy.spatial import transform as transform
