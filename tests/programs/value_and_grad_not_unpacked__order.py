# expects: value-and-grad-not-unpacked at 17
# needs: optax
import jax
import jax.numpy as jnp
import optax


def error(params, x):
    return jnp.mean((params["w"] * x - 1.0) ** 2)


optimizer = optax.rmsprop(0.1)


@jax.jit
def step(params, state, x):
    grads, error_now = jax.value_and_grad(error)(params, x)
    updates, state = optimizer.update(grads, state)
    return optax.apply_updates(params, updates), state, error_now


params = {"w": jnp.ones(3)}
print(step(params, optimizer.init(params), jnp.arange(3.0)))
