# expects: pytree-in-arithmetic at 18
import jax
import jax.numpy as jnp


def predict(params, x):
    for w, b in params[:-1]:
        x = jnp.tanh(x @ w + b)
    w, b = params[-1]
    return x @ w + b


def train(params, x, y, rate=0.01):
    loss = jax.jit(lambda params: jnp.mean((predict(params, x) - y) ** 2))
    gradient = jax.grad(loss)
    for _ in range(3):
        grads = gradient(params)
        params -= rate * grads
    return params


layers = [(jnp.ones((2, 4)), jnp.zeros(4)), (jnp.ones((4, 1)), jnp.zeros(1))]
train(layers, jnp.ones((8, 2)), jnp.zeros((8, 1)))
