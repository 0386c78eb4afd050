# expects: reshape-around-zero at 8
import jax
import jax.numpy as jnp


@jax.jit
def chunked_sum(x):
    return x.reshape(-1, x.shape[0] // 8).sum(axis=0)


print(chunked_sum(jnp.ones(5)))
