# expects: impure-host-random at 12
import jax
import jax.numpy as jnp
import numpy as np


rng = np.random.default_rng(0)


@jax.jit
def drop(x):
    keep = rng.random(3) > 0.5
    return jnp.where(keep, x, 0.0)


drop(jnp.ones(3))
