# expects: update-result-dropped at 7
import jax.numpy as jnp


track = jnp.zeros(1)
for place in (0.5, 1.5):
    jnp.append(track, place)
