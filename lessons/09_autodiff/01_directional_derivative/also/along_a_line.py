"""The function along the line from x, differentiated with respect to one number."""

import jax


def directional(f, x, v):
    def walk(t):
        return f(jax.tree.map(lambda a, b: a + t * b, x, v))

    return jax.jacfwd(walk)(0.0)
