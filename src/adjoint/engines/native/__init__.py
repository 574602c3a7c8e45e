"""The native engine: whole programs as machine code, made by LLVM in milliseconds. README.md is the way in."""
