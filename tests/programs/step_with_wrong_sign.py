# expects: step-with-wrong-sign at 25
# needs: optax
import jax
import jax.numpy as jnp
import optax


class Fit:
    """A line through points, by gradient descent."""

    def __init__(self, rate):
        self.tx = optax.chain(optax.clip(1.0), optax.adam(rate))

    def loss(self, params, x, y):
        return jnp.mean((params["slope"] * x + params["offset"] - y) ** 2)

    def run(self, x, y, steps=3):
        params = {"slope": jnp.array(0.0), "offset": jnp.array(0.0)}
        state = self.tx.init(params)
        for _ in range(steps):
            grads = jax.grad(self.loss)(params, x, y)
            steps_down, state = self.tx.update(grads, state, params)
            params = jax.tree.map(
                # Optax has already given the sign to what it returns.
                lambda p, s: p - s,
                params,
                steps_down,
            )
        return params


print(Fit(0.1).run(jnp.arange(3.0), jnp.arange(3.0)))
