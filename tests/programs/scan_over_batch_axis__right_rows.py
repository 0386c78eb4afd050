# expects: nothing
import jax
import jax.numpy as jnp

count = 6
points = jax.random.normal(jax.random.key(0), (count, 2))


def attract(speeds, point):
    return speeds + 0.1 * (point - points), None


speeds, _ = jax.lax.scan(attract, jnp.zeros((count, 2)), points)
print(speeds.shape)
