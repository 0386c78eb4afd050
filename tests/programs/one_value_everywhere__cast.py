# expects: one-value-everywhere at 14
"""An accuracy whose predictions are probabilities that are cast to integers."""

import jax
import jax.numpy as jnp

keys = jax.random.split(jax.random.key(0), 2)
points = jax.random.normal(keys[0], (64, 3))
labels = (points.sum(axis=1) > 0).astype(jnp.int32)


@jax.jit
def accuracy(weights):
    predicted = jax.nn.sigmoid(points @ weights).astype(jnp.int32)
    return (predicted == labels).mean()


print(accuracy(jax.random.normal(keys[1], (3,))))
