# Written by stubs/generate.py; do not edit.
from adjoint.scipy.cluster import vq as vq
