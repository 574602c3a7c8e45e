# Written by stubs/generate.py; do not edit.
from typing import Any
from adjoint.sharding import Mesh as Mesh
thread_resources: Any
