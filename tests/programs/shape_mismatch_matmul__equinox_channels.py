# expects: shape-mismatch-matmul at 20
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class CNN(eqx.Module):
    conv: eqx.nn.Conv2d
    pool: eqx.nn.MaxPool2d
    head: eqx.nn.Linear

    def __init__(self, key):
        k1, k2 = jax.random.split(key)
        self.conv = eqx.nn.Conv2d(1, 4, kernel_size=3, key=k1)
        self.pool = eqx.nn.MaxPool2d(kernel_size=2, stride=2)
        self.head = eqx.nn.Linear(4 * 13 * 13, 10, key=k2)

    def __call__(self, x):
        x = self.pool(jax.nn.relu(self.conv(x)))
        return self.head(x.ravel())


model = CNN(jax.random.key(0))
images = jnp.ones((16, 28, 28, 1))
logits = jax.vmap(model)(images)
print(logits.shape)
