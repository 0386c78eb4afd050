# expects: training-mode-in-evaluation at 36
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    layer: eqx.nn.Linear
    drop: eqx.nn.Dropout

    def __init__(self, key):
        self.layer = eqx.nn.Linear(2, 1, key=key)
        self.drop = eqx.nn.Dropout(0.5)

    def __call__(self, x, key):
        return self.layer(self.drop(x, key=key))[0]


def loss(net, x, key):
    keys = jax.random.split(key, len(x))
    return jnp.mean(jax.vmap(net)(x, keys) ** 2)


@eqx.filter_jit
def evaluate(net, x, key):
    return loss(net, x, key)


first, second, third = jax.random.split(jax.random.key(0), 3)
net = Net(first)
x = jnp.ones((4, 2))
grads = eqx.filter_grad(loss)(net, x, second)
net = eqx.apply_updates(net, grads)

print(evaluate(net, x, third) >= 0)
