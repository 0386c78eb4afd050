# expects: check work
# says: Your Jacobian is right, but for some shapes it is computed in the expensive mode. Compare
#     the number of passes: one for each input forwards, one for each output backwards.
"""Looks at the number of outputs only."""

import jax


def jacobian(f, x):
    mode = jax.jacrev if jax.eval_shape(f, x).size < 10 else jax.jacfwd
    return mode(f)(x)
