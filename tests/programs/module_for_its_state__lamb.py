# expects: module-for-its-state at 25
# needs: flax optax
import jax.numpy as jnp
import optax
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.first = nnx.Linear(3, 4, rngs=rngs)
        self.norm = nnx.BatchNorm(4, rngs=rngs)

    def __call__(self, x):
        return self.norm(self.first(x)).sum()


class Learner:
    def __init__(self, net):
        self.net = net
        self.tx = optax.lamb(0.1)
        self.memory = self.tx.init(nnx.state(net, nnx.Param))

    def learn(self, x):
        slopes = nnx.grad(lambda net: net(x))(self.net)
        change, self.memory = self.tx.update(slopes, self.memory, params=self.net)
        nnx.update(self.net, optax.apply_updates(nnx.state(self.net, nnx.Param), change))


Learner(Net(nnx.Rngs(0))).learn(jnp.ones((2, 3)))
