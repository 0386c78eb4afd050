# expects: check work
"""Takes each where the other is cheap."""

import jax


def jacobian(f, x):
    outputs = jax.eval_shape(f, x).size
    return jax.jacfwd(f)(x) if outputs < x.size else jax.jacrev(f)(x)
