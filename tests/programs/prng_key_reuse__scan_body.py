# expects: prng-key-reuse at 8
import jax
import jax.numpy as jnp


def walk(key, start):
    def move(position, _):
        step = jax.random.choice(key, jnp.array([-1, 1]))
        return position + step, position

    return jax.lax.scan(move, start, length=10)


jax.jit(walk)(jax.random.key(1), 0)
