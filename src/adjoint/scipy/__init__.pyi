# Written by stubs/generate.py; do not edit.
from adjoint.scipy import cluster as cluster
from adjoint.scipy import fft as fft
from adjoint.scipy import integrate as integrate
from adjoint.scipy import interpolate as interpolate
from adjoint.scipy import linalg as linalg
from adjoint.scipy import ndimage as ndimage
from adjoint.scipy import optimize as optimize
from adjoint.scipy import signal as signal
from adjoint.scipy import sparse as sparse
from adjoint.scipy import spatial as spatial
from adjoint.scipy import special as special
from adjoint.scipy import stats as stats
