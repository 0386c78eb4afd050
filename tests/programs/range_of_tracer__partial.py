# expects: range-of-tracer at 7
import jax


def power(x, n):
    r = 1.0
    for _ in range(n):
        r = r * x
    return r


jitted = jax.jit(power)
jitted(2.0, 3)
