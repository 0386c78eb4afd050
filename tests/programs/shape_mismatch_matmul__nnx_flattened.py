# expects: shape-mismatch-matmul at 14
# needs: flax
from functools import partial

import jax
import jax.numpy as jnp
from flax import nnx


class Classifier(nnx.Module):
    def __init__(self, classes, *, rngs):
        self.conv = nnx.Conv(1, 4, kernel_size=(3, 3), rngs=rngs)
        self.pool = partial(nnx.max_pool, window_shape=(2, 2), strides=(2, 2))
        self.out = nnx.Linear(4 * 6 * 6, classes, rngs=rngs)

    def features(self, images):
        x = self.pool(nnx.relu(self.conv(images)))
        return x.reshape(x.shape[0], -1)

    def __call__(self, images):
        return self.out(self.features(images))


model = Classifier(3, rngs=nnx.Rngs(0))
images = jax.random.normal(jax.random.key(1), (2, 16, 16, 1))
print(jnp.argmax(model(images), axis=-1).shape)
