# expects: scan-body-not-pair at 6
import jax


def throw(total, key):
    return total + jax.random.randint(key, (), 1, 7)


keys = jax.random.split(jax.random.key(1), 5)
total, faces = jax.lax.scan(throw, 0, keys)
