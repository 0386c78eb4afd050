# expects: check work
# says: Your Jacobian is right, but for some shapes it is computed in the expensive mode. Compare
#     the number of passes: one for each input forwards, one for each output backwards.
"""Goes forwards, as for a simulation."""

import jax


def jacobian(f, x):
    return jax.jacfwd(f)(x)
