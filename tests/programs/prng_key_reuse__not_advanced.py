# expects: prng-key-reuse at 9
import jax
import jax.numpy as jnp


@jax.jit
def walk(key, start):
    def move(place, key):
        step = jax.random.rademacher(key, (), jnp.float32)
        return place + step, key

    def body(state):
        place, key, count = state
        place, key = move(place, key)
        return place, key, count + 1

    return jax.lax.while_loop(lambda state: state[2] < 10, body, (start, key, 0))[0]


print(walk(jax.random.key(1), 0.0))
