# Written by stubs/generate.py; do not edit.
from adjoint.interpreters import ad as ad
from adjoint.interpreters import batching as batching
from adjoint.interpreters import mlir as mlir
from adjoint.interpreters import partial_eval as partial_eval
from adjoint.interpreters import pxla as pxla
from adjoint.interpreters import xla as xla
