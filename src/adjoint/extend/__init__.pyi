# Written by stubs/generate.py; do not edit.
from adjoint.extend import backend as backend
from adjoint.extend import core as core
from adjoint.extend import ifrt_programs as ifrt_programs
from adjoint.extend import linear_util as linear_util
from adjoint.extend import mlir as mlir
from adjoint.extend import random as random
from adjoint.extend import sharding as sharding
from adjoint.extend import source_info_util as source_info_util
