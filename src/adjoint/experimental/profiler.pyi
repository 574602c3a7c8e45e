# Written by stubs/generate.py; do not edit.
def get_profiled_instructions_proto(tensorboard_dir: str) -> bytes:
    """Return what a trace tells of single instructions, for compilers that are guided by it; empty but on GPUs.

    Args:
      tensorboard_dir: the folder of one trace, `<log_dir>/plugins/profile/<run>`.
    Returns:
      The bytes of the record.
    Raises:
      ImportError: jaxlib is not installed.
      JaxRuntimeError: there is no trace in that folder.

    >>> from adjoint.experimental.profiler import get_profiled_instructions_proto
    >>> record = get_profiled_instructions_proto("traces/plugins/profile/first")  # doctest: +SKIP
    """
