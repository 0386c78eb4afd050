# expects: pytree-in-arithmetic at 20
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Fit:
    def __init__(self, key, rate):
        self.rate = rate
        self.model = eqx.nn.Linear(2, 1, key=key)

    @staticmethod
    def loss(model, x, y):
        return jnp.mean((jax.vmap(model)(x) - y) ** 2)

    def run(self, x, y):
        model, rate = self.model, self.rate
        grads = eqx.filter_grad(self.loss)(model, x, y)
        return model - rate * grads


print(Fit(jax.random.key(0), 0.1).run(jnp.ones((4, 2)), jnp.ones((4, 1))))
