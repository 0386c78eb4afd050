# expects: missing-return
import jax


def scale(x):
    y = x * 2


def f(x):
    return scale(x) + 1


jax.jit(f)(1.0)
