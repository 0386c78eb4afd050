"""When not to be static: an adjustable contrast."""

from functools import partial

import jax


def make_scaled():
    """Return a compiled g(x, s), which multiplies the distance of x from its mean by s."""

    # TODO: the answers are right, but each value of s is compiled separately.
    @partial(jax.jit, static_argnames="s")
    def g(x, s):
        mean = x.mean()
        return mean + s * (x - mean)

    return g
