# expects: frozen-dict-beside-dict at 12
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax import core

net = nn.Dense(2)
weights = net.init(jax.random.key(0), jnp.ones((1, 3)))["params"]
tx = optax.sgd(0.1, momentum=0.9)
memory = tx.init(core.freeze(weights))
slopes = jax.grad(lambda w: net.apply({"params": w}, jnp.ones((1, 3))).sum())(weights)
changes, memory = tx.update(slopes, memory)
print(optax.apply_updates(weights, changes)["bias"])
