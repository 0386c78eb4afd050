# expects: key-not-passed at 9
# needs: flax
import jax
import jax.numpy as jnp
from flax import linen as nn

model = nn.Sequential([nn.Dense(4), nn.relu])
key = jax.random.PRNGKey(0)
params = model.init(jnp.ones((1, 3)), key)
