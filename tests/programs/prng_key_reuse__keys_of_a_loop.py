# expects: prng-key-reuse at 12
import jax

jax.config.update("jax_debug_key_reuse", True)


def walk(key, n):
    def step(x, key):
        return x + jax.random.normal(key), None

    start = jax.random.normal(key)
    return jax.lax.scan(step, start, jax.random.split(key, n))[0]


print(walk(jax.random.key(0), 3))
