# expects: gradients-of-other-variables at 20
# needs: flax optax
import jax.numpy as jnp
import optax
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.norm = nnx.BatchNorm(3, rngs=rngs)
        self.out = nnx.Linear(3, 1, rngs=rngs)

    def __call__(self, x):
        return self.out(self.norm(x)).sum()


class Learner:
    def __init__(self, net, rate):
        self.net, self.tx = net, optax.adam(rate)
        self.memory = self.tx.init(nnx.state(net))

    def learn(self, x):
        slopes = nnx.grad(lambda net: net(x))(self.net)
        changes, self.memory = self.tx.update(slopes, self.memory)
        weights = optax.apply_updates(nnx.state(self.net, nnx.Param), changes)
        nnx.update(self.net, weights)


Learner(Net(nnx.Rngs(0)), 0.1).learn(jnp.ones((2, 3)))
