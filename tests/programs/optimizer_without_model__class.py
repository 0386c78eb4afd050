# expects: optimizer-without-model at 16
# needs: flax optax
import jax.numpy as jnp
import optax
from flax import nnx


class Training:
    def __init__(self, net, rate):
        self.optimizer = nnx.Optimizer(net, optax.sgd(rate), wrt=nnx.Param)

    def learn(self, x, y):
        def loss(net):
            return jnp.mean((net(x) - y) ** 2)

        slopes = nnx.grad(loss)(self.optimizer.model)
        self.optimizer.update(slopes)


training = Training(nnx.Linear(3, 1, rngs=nnx.Rngs(0)), 0.1)
training.learn(jnp.ones((4, 3)), jnp.zeros((4, 1)))
