# expects: wrong-static-argnums at 9
import jax


def power(x, n):
    return x**n


fast = jax.jit(power, static_argnames="exponent")
fast(2.0, 3)
