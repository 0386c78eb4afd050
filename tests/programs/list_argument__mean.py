# expects: list-argument at 8
import jax.numpy as jnp


losses = []
for i in range(3):
    losses.append(float(i))
m = jnp.mean(losses)
