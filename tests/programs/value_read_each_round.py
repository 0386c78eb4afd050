# expects: value-read-each-round at 17
import jax
import jax.numpy as jnp


@jax.jit
def step(weights):
    loss = jnp.mean((jnp.tanh(weights @ weights) - 1) ** 2)
    return weights * 0.999, loss


weights = jnp.full((128, 128), 0.1)
total = 0.0
history = []
for _ in range(300):
    weights, loss = step(weights)
    total += float(loss)
    history.append(loss.item())
