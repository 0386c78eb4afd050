# expects: layer-without-key at 10
# needs: flax
import jax.numpy as jnp
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.fc = nnx.Linear(2, 2, rngs=rngs)
        self.drop = nnx.Dropout(0.5)

    def __call__(self, x):
        return self.drop(self.fc(x))


print(Net(nnx.Rngs(0))(jnp.ones((3, 2))))
