# expects: zero-gradient at 14
import jax
import jax.numpy as jnp


def fit(weights, inputs, targets):
    """Fit a line by gradient descent."""

    @jax.jit
    @jax.value_and_grad
    def error(w, scale):
        """Return the error of a line."""
        # The argument is w.
        guess = inputs @ weights
        return scale * jnp.mean((guess - targets) ** 2)

    for _ in range(3):
        value, gradient = error(weights, 0.5)
        weights = weights - 0.1 * gradient
    return weights, value


inputs = jnp.arange(6.0).reshape(3, 2)
print(fit(jnp.zeros(2), inputs, jnp.ones(3)))
