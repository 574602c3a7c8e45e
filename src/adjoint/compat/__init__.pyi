# Written by stubs/generate.py; do not edit.
VARIABLE: str
def install() -> None:
    """Make `import jax` mean this package, in this process.

    `jax.__version__`, by which libraries decide what to call, is then that of the JAX whose interface this is, and
    `importlib.metadata.version("jax")` too. If JAX is installed, a line on standard error says that it is not used.

    Raises:
      RuntimeError: real JAX is imported already.

    >>> install()
    >>> import jax
    >>> jax.grad(lambda x: x ** 2)(3.)
    Array(6., dtype=float32, weak_type=True)
    """
def install_for_children() -> None:
    """`install`, here and in the Pythons that this process starts, as far as this package is installed in theirs.

    A pool of processes that the program starts, and notebooks, then have the same `jax` as it. `uninstall` does not
    undo the part about processes that are started later: `del os.environ["ADJOINT_AS_JAX"]` does.

    Returns:
      None.

    >>> from adjoint import compat
    >>> compat.install_for_children()  # doctest: +SKIP
    """
def installed_jax() -> str | None:
    """Return the folder of the JAX that is installed; None if there is none.

    >>> from adjoint import compat
    >>> folder = compat.installed_jax()
    >>> folder is None or folder.endswith("jax")
    True
    """
def uninstall() -> None:
    """Undo `install`: `import jax` means what is installed under that name.

    Returns:
      None.

    >>> from adjoint import compat
    >>> compat.uninstall()  # doctest: +SKIP
    """
