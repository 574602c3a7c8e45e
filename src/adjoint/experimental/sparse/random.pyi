# Written by stubs/generate.py; do not edit.
from adjoint.experimental.sparse import random_bcoo as random_bcoo
