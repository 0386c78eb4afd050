# expects: pipeline-steps-order at 10
# needs: grain
import grain
import jax.numpy as jnp
import numpy as np


def rounds(values, epochs):
    data = grain.MapDataset.source(values).repeat(epochs)
    data = data.shuffle(seed=5)
    return data.map(np.float32).batch(3)


for batch in rounds(list(range(6)), 2):
    print(jnp.sum(batch) >= 0)
