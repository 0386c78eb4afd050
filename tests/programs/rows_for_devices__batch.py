# expects: rows-for-devices at 13
import jax
import jax.numpy as jnp


@jax.pmap
def score(x, y):
    return jnp.mean((x.sum(-1) - y) ** 2)


rows = 4 * jax.local_device_count()
x = jnp.arange(3.0 * rows).reshape(rows, 3)
print(score(x, jnp.ones(rows)).shape)
