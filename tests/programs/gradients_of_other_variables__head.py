# expects: gradients-of-other-variables at 24
# needs: flax optax
import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Trained(nnx.Param):
    pass


class Probe(nnx.Module):
    def __init__(self, rngs):
        self.body = nnx.Linear(6, 6, rngs=rngs)
        self.head = Trained(jnp.zeros((6, 2)))

    def __call__(self, x):
        return nnx.relu(self.body(x)) @ self.head[...]


def make():
    probe = Probe(nnx.Rngs(0))
    return probe, nnx.Optimizer(probe, optax.adam(0.01), wrt=nnx.Param)


@nnx.jit
def step(probe, optimizer, x):
    def loss(probe):
        return jnp.mean((probe(x) - 1) ** 2)

    value, grads = nnx.value_and_grad(loss, argnums=nnx.DiffState(0, Trained))(probe)
    optimizer.update(probe, grads)
    return value


probe, optimizer = make()
print(step(probe, optimizer, jnp.ones((3, 6))))
