# expects: attribute-typo at 3
import jax.numpy as jnp
from jax.experimental.hijax import ShardedLoweringRule


def halve(x: jnp.ndarray) -> jnp.ndarray:
    return x / 2


print(halve(jnp.ones(3)), ShardedLoweringRule)
