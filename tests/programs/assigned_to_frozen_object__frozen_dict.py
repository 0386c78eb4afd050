# expects: assigned-to-frozen-object at 13
# needs: flax
import jax
import jax.numpy as jnp
from flax import linen as nn
from flax.core import FrozenDict

model = nn.Dense(2)
rows = jnp.ones((3, 4))
variables = FrozenDict(model.init(jax.random.key(0), rows))
trained = jnp.full((4, 2), 0.5)

variables["params"]["kernel"] = trained
print(model.apply(variables, rows))
