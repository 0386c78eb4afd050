# expects: typed-key-as-raw-array at 6
import jax


def sub(key, i):
    return key + i


sub(jax.random.key(0), 1)
