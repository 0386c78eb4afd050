# expects: python-math-on-tracer at 10
import jax


from math import cos, pi


@jax.jit
def wave(t):
    return cos(2 * pi * t)


wave(0.1)
