# expects: vmap-body-sees-one-example at 13
# needs: chex
import chex
import jax
import jax.numpy as jnp

BATCH = 4


@jax.jit
@jax.vmap
def scores(x):
    chex.assert_shape(x, (BATCH, None, 3))
    return x.sum(axis=-1)


print(scores(jnp.ones((BATCH, 2, 3))))
