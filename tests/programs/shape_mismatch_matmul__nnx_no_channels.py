# expects: shape-mismatch-matmul at 25
# needs: flax
import jax.numpy as jnp
import numpy as np
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.first = nnx.Conv(1, 4, kernel_size=(3, 3), rngs=rngs)
        self.last = nnx.Linear(4, 10, rngs=rngs)

    def __call__(self, x):
        return self.last(nnx.relu(self.first(x)).mean(axis=(1, 2)))


def accuracy(model, images, labels):
    logits = model(images)
    return jnp.mean(jnp.argmax(logits, axis=1) == labels)


def main():
    digits = np.random.default_rng(0).normal(size=(6, 12, 12)).astype(np.float32)
    model = Net(nnx.Rngs(0))
    print(accuracy(model, digits, np.arange(6)) <= 1)


main()
