# expects: zero-gradient at 14
import jax
import jax.numpy as jnp


class Line:
    def __init__(self):
        self.weights = jnp.zeros(2)

    def guess(self, points):
        return points @ self.weights

    def distance(self, weights, points, values):
        return jnp.mean((self.guess(points) - values) ** 2)

    def fit(self, points, values):
        for _ in range(3):
            slopes = jax.grad(self.distance)(self.weights, points, values)
            self.weights = jax.tree.map(lambda p, g: p - 0.1 * g, self.weights, slopes)


line = Line()
line.fit(jnp.arange(8.0).reshape(4, 2), jnp.ones(4))
print(line.weights)
