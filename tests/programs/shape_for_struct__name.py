# expects: shape-for-struct at 12
import jax
import jax.numpy as jnp


def encoder(x):
    flat = x.reshape(x.shape[0], -1)
    return jnp.tanh(flat)


shape = (2, 3, 4)
print(jax.eval_shape(encoder, shape))
