# expects: check values
# says: Your answer is one row, the sum of all the rows: the outputs are added up before they are
#     differentiated.
"""Adds the outputs up, which adds the rows up."""

import jax


def jacobian(f, x):
    return jax.grad(lambda x: f(x).sum())(x)
