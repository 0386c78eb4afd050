"""Lean attention."""


def lean_attention(x):
    """Return x with every element doubled."""
    # TODO: double it.
    return x
