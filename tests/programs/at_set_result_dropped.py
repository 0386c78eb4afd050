# expects: at-set-result-dropped at 8
import jax
import jax.numpy as jnp


@jax.jit
def reset(x, i):
    x.at[i].set(0.0)
    return x


reset(jnp.ones(3), 1)
