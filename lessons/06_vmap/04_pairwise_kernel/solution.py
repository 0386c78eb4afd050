"""A table of all pairs: a function of two arguments, for each pair."""

import jax


def gram(k, X, Y):
    """Return the table of k(X[i], Y[j])."""
    row = jax.vmap(k, in_axes=(None, 0))  # one x, all of Y
    return jax.vmap(row, in_axes=(0, None))(X, Y)  # the outer map is the first axis
