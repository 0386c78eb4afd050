"""self is an argument: a compiled layer whose weights can be exchanged."""

import jax


# What may change comes in as an argument, so one program serves all weights of a shape.
@jax.jit
def affine(w, b, x):
    """Return w @ x + b."""
    return w @ x + b


class Affine:
    """Gives w @ x + b when called."""

    def __init__(self, w, b):
        self.w = w
        self.b = b

    def __call__(self, x):
        """Return w @ x + b."""
        return affine(self.w, self.b, x)
