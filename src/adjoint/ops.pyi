# Written by stubs/generate.py; do not edit.
from adjoint._ops import segment_max as segment_max
from adjoint._ops import segment_min as segment_min
from adjoint._ops import segment_prod as segment_prod
from adjoint._ops import segment_sum as segment_sum
