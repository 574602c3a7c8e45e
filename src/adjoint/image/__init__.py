"""Resampling of images: `resize`, and `scale_and_translate` for any place and size of the result."""

from ..core.messages.boundaries import explain_missing as _explain_missing
from .resampling import ResizeMethod as ResizeMethod
from .resampling import resize as resize
from .resampling import scale_and_translate as scale_and_translate

_explain_missing(globals())
