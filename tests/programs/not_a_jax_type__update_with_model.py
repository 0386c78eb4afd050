# expects: not-a-jax-type at 21
# needs: equinox optax
import equinox as eqx
import jax
import jax.numpy as jnp
import optax


def mean_error(model, x, y):
    return jnp.mean((jax.vmap(model)(x)[:, 0] - y) ** 2)


class Fit:
    def __init__(self, model):
        self.model = model
        self.optimizer = optax.lamb(1e-2)
        self.state = self.optimizer.init(eqx.filter(model, eqx.is_inexact_array))

    def step(self, x, y):
        grads = eqx.filter_grad(mean_error)(self.model, x, y)
        updates, self.state = self.optimizer.update(grads, self.state, params=self.model)
        self.model = eqx.apply_updates(self.model, updates)


fit = Fit(eqx.nn.MLP(2, 1, 8, 1, key=jax.random.key(0)))
fit.step(jnp.ones((4, 2)), jnp.zeros(4))
print(mean_error(fit.model, jnp.ones((4, 2)), jnp.zeros(4)))
