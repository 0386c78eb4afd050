"""Forward or backward: the Jacobian in the cheaper mode."""

import jax


def jacobian(f, x):
    """Return the Jacobian of f at x: a row for each output, a column for each input."""
    # This computes no value: f is traced with a shape and a dtype.
    outputs = jax.eval_shape(f, x).size
    transform = jax.jacrev if outputs < x.size else jax.jacfwd
    return transform(f)(x)
