"""Commands: `adjoint` and `python -m adjoint` run programs, and have `cache`, `doctor`, `env` and `version`.

`programs.py` runs what the command line names; each other module is a command.

Tests: `tests/compat/test_command_line.py`.
"""
