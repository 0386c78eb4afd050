# expects: use-after-donation at 33
from functools import partial

import jax
import jax.numpy as jnp


def error(weights, x, y):
    return jnp.mean((x @ weights["w"] + weights["b"] - y) ** 2)


@partial(jax.jit, donate_argnums=0)
def descend(weights, x, y):
    slopes = jax.grad(error)(weights, x, y)
    return jax.tree.map(lambda w, s: w - 0.1 * s, weights, slopes)


class Fit:
    def __init__(self, weights):
        self.weights = weights

    def run(self, x, y, rounds):
        for _ in range(rounds):
            self.weights = descend(self.weights, x, y)
        return self


x = jnp.linspace(0.0, 1.0, 12).reshape(6, 2)
y = x.sum(axis=1)
weights = {"w": jnp.zeros(2), "b": jnp.zeros(())}
fit = Fit(weights).run(x, y, 5)
print("after", error(fit.weights, x, y))
print("before", error(weights, x, y))
