# Written by stubs/generate.py; do not edit.
from adjoint.scipy.sparse import linalg as linalg
