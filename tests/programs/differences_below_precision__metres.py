# expects: differences-below-precision at 7
import jax
import jax.numpy as jnp
import numpy as np

track = np.stack([5_400_000.0 + 0.1 * np.arange(50), 400_000.0 + 0.2 * np.arange(50)], axis=1)
points = jax.device_put(track)
steps = jnp.linalg.norm(jnp.diff(points, axis=0), axis=1)
print(steps.sum())
