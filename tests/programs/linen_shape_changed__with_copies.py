# expects: linen-shape-changed at 12
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp
from flax import jax_utils

model = nn.Dense(3)
params = model.init(jax.random.key(0), jnp.ones((4, 2)))
copies = jax_utils.replicate(params)
rows = jnp.ones((jax.local_device_count(), 4, 5))
print(jax.pmap(model.apply)(copies, rows).shape)
