# expects: prng-key-reuse at 24
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.first = nnx.Linear(2, 8, rngs=rngs)
        self.drop = nnx.Dropout(0.5, rngs=rngs)
        self.last = nnx.Linear(8, 1, rngs=rngs)

    def __call__(self, x):
        return self.last(self.drop(nnx.relu(self.first(x))))


@jax.jit
def predict(net, x):
    return net(x)


net = Net(nnx.Rngs(0))
draws = [predict(net, jnp.ones((3, 2))) for _ in range(10)]
print(jnp.stack(draws).std(0))
