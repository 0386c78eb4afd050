# expects: prng-key-reuse at 23
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    linear: eqx.nn.Linear
    drop: eqx.nn.Dropout

    def __init__(self, key):
        self.linear = eqx.nn.Linear(3, 8, key=key)
        self.drop = eqx.nn.Dropout(0.5)

    def __call__(self, x, key):
        return self.drop(self.linear(x), key=key)


@eqx.filter_jit
def loss(net, xs, key):
    noisy = lambda x: net(x, key)  # noqa: E731
    return jnp.mean(jax.vmap(noisy)(xs) ** 2)


net = Net(jax.random.key(0))
print(loss(net, jnp.ones((4, 3)), jax.random.key(1)))
