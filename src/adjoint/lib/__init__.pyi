# Written by stubs/generate.py; do not edit.

