# expects: recursion-under-trace at 9
from jax import lax


def depth(x):
    def rec(v):
        return depth(v / 2) + 1

    return lax.cond(x < 1.0, lambda v: 0, rec, x)


depth(4.0)
