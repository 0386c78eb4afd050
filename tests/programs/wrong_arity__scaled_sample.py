# expects: wrong-arity at 6
import jax


def init(key, rows, columns):
    return jax.random.normal(key, 0.0, 0.02, (rows, columns))


init(jax.random.key(0), 3, 4)
