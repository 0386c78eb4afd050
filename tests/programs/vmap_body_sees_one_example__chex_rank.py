# expects: vmap-body-sees-one-example at 9
# needs: chex
import chex
import jax
import jax.numpy as jnp


def norm(x, w):
    chex.assert_rank([x, w], [2, 1])
    return jnp.linalg.norm(x * w)


print(jax.vmap(norm, in_axes=(0, None))(jnp.ones((4, 3)), jnp.ones(3)))
