# expects: function-not-called at 11
import jax
import jax.numpy as jnp


class Ridge:
    def penalty(self, w):
        return 0.1 * jnp.sum(w**2)

    def loss(self, w, x, y):
        return jnp.mean((x @ w - y) ** 2) + self.penalty


jax.grad(Ridge().loss)(jnp.ones(2), jnp.ones((3, 2)), jnp.ones(3))
