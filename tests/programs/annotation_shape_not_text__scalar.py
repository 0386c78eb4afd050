# expects: annotation-shape-not-text at 13
# needs: jaxtyping
import dataclasses

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Spring:
    stiffness: Float[Array, ()]
    ends: Float[Array, "2 dim"]

    def energy(self):
        return 0.5 * self.stiffness * jnp.sum((self.ends[0] - self.ends[1]) ** 2)


print(jax.jit(Spring.energy)(Spring(jnp.array(2.0), jnp.eye(2))))
