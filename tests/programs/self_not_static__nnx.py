# expects: self-not-static at 13
# needs: flax optax
import jax.numpy as jnp
import optax
from flax import nnx


class Fit:
    def __init__(self):
        self.line = nnx.Linear(2, 1, rngs=nnx.Rngs(0))
        self.optimizer = nnx.Optimizer(self.line, optax.sgd(0.1), wrt=nnx.Param)

    @nnx.jit
    def step(self, x, y):
        loss, grads = nnx.value_and_grad(lambda m: jnp.mean((m(x) - y) ** 2))(self.line)
        self.optimizer.update(self.line, grads)
        return loss


print(Fit().step(jnp.ones((3, 2)), jnp.ones((3, 1))))
