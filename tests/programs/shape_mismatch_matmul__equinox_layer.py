# expects: shape-mismatch-matmul at 15
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    first: eqx.nn.Linear
    second: eqx.nn.Linear

    def __init__(self, key):
        a, b = jax.random.split(key)
        self.first = eqx.nn.Linear(8, 16, key=a)
        self.second = eqx.nn.Linear(8, 2, key=b)

    def __call__(self, x):
        h = jax.nn.relu(self.first(x))
        return self.second(h)


net = Net(jax.random.key(0))


@eqx.filter_jit
def loss(net, xs):
    return jax.vmap(net)(xs).sum()


print(loss(net, jnp.ones((4, 8))))
