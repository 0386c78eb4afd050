"""Forward or backward: the Jacobian by the cheaper way."""

import jax


def jacobian(f, x):
    """Return the Jacobian of f at x: a row for each output, a column for each input."""
    # No value is computed for this: f is traced with a shape and a dtype.
    outputs = jax.eval_shape(f, x).size
    transform = jax.jacrev if outputs < x.size else jax.jacfwd
    return transform(f)(x)
