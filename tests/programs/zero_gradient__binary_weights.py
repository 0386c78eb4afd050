# expects: zero-gradient at 9
import jax
import jax.numpy as jnp
from functools import partial


def binary(weights):
    size = jnp.mean(jnp.abs(jax.lax.stop_gradient(weights)))
    return size * jnp.sign(weights)


def loss(params, rows, targets):
    return jnp.mean((rows @ binary(params["weights"]) + params["offset"] - targets) ** 2)


@partial(jax.jit, static_argnames="rate")
def train(params, rows, targets, rate=0.1):
    grads = jax.grad(loss)(params, rows, targets)
    return {
        "weights": params["weights"] - rate * grads["weights"],
        "offset": params["offset"] - rate * grads["offset"],
    }


rows = jax.random.normal(jax.random.key(4), (40, 3))
targets = rows[:, 0] + 2.0
params = {"weights": jnp.array([0.2, -0.1, 0.4]), "offset": jnp.zeros(())}
for _ in range(6):
    params = train(params, rows, targets)
print(loss(params, rows, targets))
