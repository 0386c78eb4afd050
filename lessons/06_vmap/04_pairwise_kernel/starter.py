"""A table of all pairs: a function of two arguments, for each pair."""

import jax


def gram(k, X, Y):
    """Return the table of k(X[i], Y[j])."""
    # TODO: this pairs each row with only one other.
    return jax.vmap(k)(X, Y)
