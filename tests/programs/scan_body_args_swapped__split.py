# expects: scan-body-args-swapped at 6
import jax
import jax.numpy as jnp


def move(rng, place):
    first, second = jax.random.split(rng)
    place = place + 0.1 * jax.random.normal(first, place.shape)
    return place, jax.random.uniform(second)


keys = jax.random.split(jax.random.key(0), 6)
end, draws = jax.lax.scan(move, jnp.zeros(2), keys)
print(end.shape, draws.shape)
