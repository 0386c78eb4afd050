# expects: python-math-on-tracer at 9
import jax


import math as m


def gauss(x):
    return m.exp(-x * x / 2) / m.sqrt(2 * m.pi)


jax.grad(gauss)(1.0)
