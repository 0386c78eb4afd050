# expects: check traces-once
# says: Your function is traced again for each new value of `s`, although its answers are right. A
#     value that is only computed with can be an input of one program, compiled once.
"""Keeps a compiled function for each value of s."""

import jax


def make_scaled():
    kept = {}

    def g(x, s):
        if s not in kept:
            kept[s] = jax.jit(lambda x: x.mean() + s * (x - x.mean()))
        return kept[s](x)

    return g
