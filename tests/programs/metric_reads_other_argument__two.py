# expects: metric-reads-other-argument at 6
# needs: flax
import jax.numpy as jnp
from flax import nnx

metrics = nnx.MultiMetric(loss=nnx.metrics.Average(), score=nnx.metrics.Average())
for step in range(3):
    loss = jnp.array(1.0 / (step + 1))
    score = jnp.array(0.1 * step)
    metrics.update(loss=loss, score=score)
print(metrics.compute())
