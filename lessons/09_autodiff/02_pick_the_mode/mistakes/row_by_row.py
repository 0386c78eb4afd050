# expects: check work
# says: Your Jacobian is right, but for some shapes it is computed in the expensive mode. Compare
#     the number of passes: one for each input forwards, one for each output backwards.
"""Takes a gradient for each output, however many there are."""

import jax
import jax.numpy as jnp


def jacobian(f, x):
    outputs = jax.eval_shape(f, x).size
    return jnp.stack([jax.grad(lambda x, i=i: f(x)[i])(x) for i in range(outputs)])
