# expects: prng-key-reuse at 20
import jax
import jax.numpy as jnp


@jax.jit
def move(key, place):
    key, sub = jax.random.split(key)
    return place + jax.random.normal(sub, place.shape)


@jax.jit
def episode(key, start):
    def play(state, _):
        place, key = state
        key, sub = jax.random.split(key)
        push = jax.random.uniform(sub, place.shape)
        # The environment gets the key that the action was drawn from.
        pushed = place * push
        place = move(sub, pushed)
        return (place, key), place

    return jax.lax.scan(play, (start, key), length=5)[1]


print(episode(jax.random.key(0), jnp.ones(3)).shape)
