"""Help at a prompt: pages about names, pictures of arrays and of programs.

Nothing of the library uses it, and each module is imported by the first call.
"""
