# expects: use-after-donation at 37
from functools import partial

import jax
import jax.numpy as jnp


def error(weights, x, y):
    return jnp.mean((x @ weights["w"] + weights["b"] - y) ** 2)


@partial(jax.jit, donate_argnums=0)
def descend(weights, x, y):
    slopes = jax.grad(error)(weights, x, y)
    return jax.tree.map(lambda w, s: w - 0.1 * s, weights, slopes)


def rows():
    x = jnp.linspace(0.0, 1.0, 12).reshape(6, 2)
    return x, x.sum(axis=1)


class Fit:
    def __init__(self, weights):
        self.weights = weights

    def run(self, rounds):
        x, y = rows()
        for _ in range(rounds):
            self.weights = descend(self.weights, x, y)
        return self


weights = {"w": jnp.zeros(2), "b": jnp.zeros(())}
fit = Fit(weights).run(5)
print("after", error(fit.weights, *rows()))
print("before", error(weights, *rows()))
