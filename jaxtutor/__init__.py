"""A terminal tutor for JAX: lessons in your own editor, checked on every save."""

__version__ = "0.1.0"
