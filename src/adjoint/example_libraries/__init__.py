"""Small libraries that show how to build on the package."""
