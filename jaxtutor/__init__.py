"""A terminal tutor for JAX: lessons in your own editor, checked on every save."""

__version__ = "0.1.0"


def load_ipython_extension(shell: object) -> None:
    """Diagnose failing cells; IPython calls this for `%load_ext jaxtutor`."""
    from jaxtutor.notebook import watch_cells

    watch_cells(shell)
