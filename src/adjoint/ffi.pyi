# Written by stubs/generate.py; do not edit.
from adjoint._ffi import build_ffi_lowering_function as build_ffi_lowering_function
from adjoint._ffi import ffi_call as ffi_call
from adjoint._ffi import ffi_lowering as ffi_lowering
from adjoint._ffi import include_dir as include_dir
from adjoint._ffi import pycapsule as pycapsule
from adjoint._ffi import register_ffi_target as register_ffi_target
from adjoint._ffi import register_ffi_target_as_batch_partitionable as register_ffi_target_as_batch_partitionable
from adjoint._ffi import register_ffi_type as register_ffi_type
from adjoint._ffi import register_ffi_type_id as register_ffi_type_id
