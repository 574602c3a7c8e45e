# Written by stubs/generate.py; do not edit.
def get_profiled_instructions_proto(tensorboard_dir: str) -> bytes:
    """Return what a trace tells of single instructions, for compilers that are guided by it; empty but on GPUs.

    Args:
      tensorboard_dir: the folder of one trace, `<log_dir>/plugins/profile/<run>`.
    """
