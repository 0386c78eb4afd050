# expects: check work
# says: Your Jacobian is right, but for some shapes it is computed in the expensive mode. Compare
#     the number of passes: one for each input forwards, one for each output backwards.
"""Goes backwards only if there are ten times as many inputs."""

import jax


def jacobian(f, x):
    mode = jax.jacrev if 10 * jax.eval_shape(f, x).size < x.size else jax.jacfwd
    return mode(f)(x)
