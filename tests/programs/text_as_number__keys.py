# expects: text-as-number at 7
import jax.numpy as jnp

weights = {"hidden": jnp.ones((2, 3)), "out": jnp.ones(3)}
total = 0.0
for weight in weights:
    total += jnp.sum(0.5 * weight**2)
