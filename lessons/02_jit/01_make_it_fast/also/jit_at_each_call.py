"""jit applied at each call, to one and the same f: its program is found again."""

import jax


def compile_once(f):
    return lambda x: jax.jit(f)(x)
