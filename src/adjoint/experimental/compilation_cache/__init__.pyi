# Written by stubs/generate.py; do not edit.
from adjoint.experimental.compilation_cache import compilation_cache as compilation_cache
