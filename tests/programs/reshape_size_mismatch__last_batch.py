# expects: reshape-size-mismatch at 10
import numpy as np

import jax
import jax.numpy as jnp


@jax.jit
def predict(weights, images):
    rows = images.reshape(32, 36)
    return jnp.argmax(rows @ weights, axis=1)


data = np.ones((70, 6, 6), np.float32)
weights = jnp.ones((36, 10))
for start in range(0, len(data), 32):
    print(predict(weights, data[start : start + 32]).shape)
