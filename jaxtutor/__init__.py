"""A terminal tutor for JAX: lessons in your own editor, checked on every save."""

__version__ = "0.2.0"


def load_ipython_extension(shell: object) -> None:
    """Diagnose failing cells; IPython calls this for `%load_ext jaxtutor`."""
    from jaxtutor.integrations import notebook

    notebook.load(shell)


def unload_ipython_extension(shell: object) -> None:
    """Stop diagnosing cells; IPython calls this for `%unload_ext jaxtutor`."""
    from jaxtutor.integrations import notebook

    notebook.unload(shell)


def install() -> None:
    """Print a diagnosis below the traceback of every uncaught exception of JAX programs."""
    from jaxtutor.integrations import excepthook

    excepthook.install()


def uninstall() -> None:
    """Undo `install`."""
    from jaxtutor.integrations import excepthook

    excepthook.uninstall()
