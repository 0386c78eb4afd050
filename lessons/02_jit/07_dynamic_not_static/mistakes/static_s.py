# expects: check traces-once
# says: Your function is traced again for each new value of `s`, although its answers are right. A
#     value that is only computed with can be an input of one program, compiled once.
"""Makes a number static that is only computed with."""

from functools import partial

import jax


def make_scaled():
    @partial(jax.jit, static_argnames="s")
    def g(x, s):
        return x.mean() + s * (x - x.mean())

    return g
