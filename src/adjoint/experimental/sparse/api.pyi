# Written by stubs/generate.py; do not edit.
from adjoint.experimental.sparse import empty as empty
from adjoint.experimental.sparse import eye as eye
from adjoint.experimental.sparse import todense as todense
from adjoint.lax import todense_p as todense_p
