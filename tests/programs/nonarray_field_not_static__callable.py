# expects: nonarray-field-not-static at 10
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    fc: eqx.nn.Linear
    act: callable

    def __init__(self, key):
        self.fc = eqx.nn.Linear(2, 1, key=key)
        self.act = jax.nn.tanh

    def __call__(self, x):
        return self.act(self.fc(x))


def loss(net, xs):
    return jax.vmap(net)(xs).sum()


net = Net(jax.random.key(0))
step = jax.jit(loss)
print(step(net, jnp.ones((3, 2))))
