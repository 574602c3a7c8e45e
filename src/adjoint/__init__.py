"""adjoint: composable transformations of array programs. Write NumPy, then grad, jit, vmap it."""
