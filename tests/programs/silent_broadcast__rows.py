# expects: silent-broadcast at 5
import jax.numpy as jnp

votes = jnp.array([[1.0, 2.0, 5.0], [0.0, 4.0, 4.0], [3.0, 3.0, 3.0]])
shares = votes / votes.sum(axis=1)
print(shares)
