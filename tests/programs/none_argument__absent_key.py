# expects: none-argument at 16
import jax
import jax.numpy as jnp


def loss(w, x, y, weights):
    return jnp.sum(weights * (x @ w - y) ** 2)


@jax.jit
def step(w, x, y, weights):
    return w - 0.1 * jax.grad(loss)(w, x, y, weights)


batch = {"x": jnp.ones((4, 2)), "y": jnp.ones(4), "weight": jnp.ones(4)}
weights = batch.get("weights")
w = step(jnp.zeros(2), batch["x"], batch["y"], weights)
print(w)
