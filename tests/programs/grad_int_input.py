# expects: grad-int-input at 9
import jax


def f(n):
    return n * 2.0


jax.grad(f)(3)
