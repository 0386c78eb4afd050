# expects: update-result-dropped at 22
import jax
import jax.numpy as jnp


def decayed(grads, weights, rate):
    """Add weight decay to gradients."""
    return jax.tree.map(lambda g, w: g + rate * w, grads, weights)


def energy(weights, x):
    return jnp.sum(jnp.tanh(x @ weights["a"]) ** 2) + weights["b"] ** 2


def train(weights, x, rounds):
    slope = jax.jit(jax.grad(energy))
    for _ in range(rounds):
        gradient = slope(weights, x)
        # A penalty on large weights.
        # It belongs to the gradient.
        #
        decayed(gradient, weights, 0.01)
        weights = jax.tree.map(lambda w, g: w - 0.1 * g, weights, gradient)
    return weights


print(train({"a": jnp.ones(3), "b": jnp.float32(1)}, jnp.eye(3), 4))
