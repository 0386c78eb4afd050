# expects: stacked-params-not-mapped at 11
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp

model = nn.Dense(3)
keys = jax.random.split(jax.random.key(0), 5)
x = jnp.ones((4, 2))
members = jax.vmap(model.init, in_axes=(0, None))(keys, x)
print(model.apply(members, x))
