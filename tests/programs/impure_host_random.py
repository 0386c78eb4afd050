# expects: impure-host-random at 9
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def noisy(x):
    return x + np.random.normal(size=x.shape)


noisy(jnp.ones(3))
noisy(jnp.ones(3))
