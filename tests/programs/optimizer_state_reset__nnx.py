# expects: optimizer-state-reset at 25
# needs: flax optax
import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.layer = nnx.Linear(3, 1, rngs=rngs)

    def __call__(self, x):
        return self.layer(x)[:, 0]


@nnx.jit
def apply_gradient(net, optimizer, x, y):
    slopes = nnx.grad(lambda net: jnp.mean((net(x) - y) ** 2))(net)
    optimizer.update(net, slopes)


def learn(net, x, y):
    tx = optax.adam(0.01)
    optimizer = nnx.Optimizer(net, tx, wrt=nnx.Param)
    apply_gradient(net, optimizer, x, y)


net = Net(nnx.Rngs(0))
x = jax.random.normal(jax.random.key(0), (16, 3))
for _ in range(3):
    learn(net, x, x.sum(axis=1))
print(net.layer.kernel[...].shape)
