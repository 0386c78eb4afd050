# expects: check work
# says: Your Jacobian is right, but for some shapes it is computed in the expensive mode. Compare
#     the number of passes: one for each input forwards, one for each output backwards.
"""Looks at the number of inputs only."""

import jax


def jacobian(f, x):
    if x.size > 10:
        return jax.jacrev(f)(x)
    return jax.jacfwd(f)(x)
