# expects: use-after-donation at 9
import jax
import jax.numpy as jnp


class Average:
    def __init__(self, weights):
        self.weights = weights
        self.slow = self.weights
        self.step = jax.jit(self.update, donate_argnums=0)

    @staticmethod
    def update(weights, slow, gradient):
        return weights - gradient + 0.1 * slow

    def run(self, gradient):
        self.weights = self.step(self.weights, self.slow, gradient)


average = Average(jnp.ones(4))
average.run(jnp.full(4, 0.5))
print(average.weights)
