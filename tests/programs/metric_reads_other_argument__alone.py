# expects: metric-reads-other-argument at 10
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx

losses = nnx.metrics.Average()
for n in range(3):
    loss = jnp.mean(jax.random.normal(jax.random.key(n), (8,)) ** 2)
    losses.update(loss=loss)
print(losses.compute() > 0)
