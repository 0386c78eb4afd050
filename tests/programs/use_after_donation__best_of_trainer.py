# expects: use-after-donation at 23
import jax
import jax.numpy as jnp


def error(weights, x):
    return ((x @ weights["w"] - 1.0) ** 2).mean()


class Fit:
    def __init__(self):
        self.weights = {"w": jnp.zeros(3)}
        self.step = jax.jit(self._step, donate_argnums=0)

    def _step(self, weights, x):
        return jax.tree.map(lambda w, g: w - 0.1 * g, weights, jax.grad(error)(weights, x))

    def run(self, x, held_out, epochs):
        lowest, best, since = jnp.inf, self.weights, 0
        for _ in range(epochs):
            self.weights = self.step(self.weights, x)
            if (found := error(self.weights, held_out)) < lowest:
                lowest, best, since = found, self.weights, 0
            else:
                since += 1
        self.weights = best
        return since

    def evaluate(self, x):
        return error(self.weights, x)


fit = Fit()
fit.run(jnp.ones((4, 3)), jnp.array([[4.0, 3.0, 1.0]]), 5)
print(fit.evaluate(jnp.ones((2, 3))))
