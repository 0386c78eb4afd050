# expects: addition-lost at 7
import jax
import jax.numpy as jnp


def count(total, person):
    return total + person, None


total, _ = jax.lax.scan(count, jnp.float32(2.0**25), jnp.ones(50))
print(total)
