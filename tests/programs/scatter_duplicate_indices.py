# expects: scatter-duplicate-indices at 9
import jax
import jax.numpy as jnp


@jax.jit
def hist(idx):
    h = jnp.zeros(4)
    return h.at[idx].set(h[idx] + 1)


hist(jnp.array([0, 1, 1, 3]))
