# expects: nothing
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp
from flax import jax_utils

model = nn.Dense(3)
x = jnp.ones((4, 2))
params = jax_utils.replicate(model.init(jax.random.key(0), x))
rows = jax.pmap(model.apply)(params, jnp.ones((jax.local_device_count(), 4, 2)))
keys = jax.random.split(jax.random.key(1), 5)
members = jax.vmap(model.init, in_axes=(0, None))(keys, x)
votes = jax.vmap(model.apply, in_axes=(0, None))(members, x)
print(rows.shape, votes.mean(0).shape, model.apply(jax_utils.unreplicate(params), x).shape)
