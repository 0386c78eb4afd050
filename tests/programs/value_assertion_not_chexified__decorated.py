# expects: value-assertion-not-chexified at 10
# needs: chex
import chex
import jax
import jax.numpy as jnp


@jax.jit
def entropy(p):
    chex.assert_scalar_positive(p) if p.ndim == 0 else chex.assert_tree_all_finite(p)
    return -jnp.sum(p * jnp.log(p))


print(entropy(jnp.array([0.2, 0.8])))
