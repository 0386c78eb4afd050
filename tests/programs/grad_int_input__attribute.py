# expects: grad-int-input at 9
import jax
import jax.numpy as jnp
import numpy as np


class Line:
    def __init__(self):
        self.weights = np.array([[0, 0], [1, 1]])
        self.offset = 0.0

    def loss(self, weights, x):
        return jnp.sum((x @ weights) ** 2) + self.offset

    def fit(self, x, rounds):
        for _ in range(rounds):
            self.weights = self.weights - 0.01 * self.slope(self.weights, x)
        return self.weights

    def slope(self, weights, x):
        return jax.jit(jax.grad(self.loss))(weights, x)


print(Line().fit(jnp.ones((3, 2)), 2))
