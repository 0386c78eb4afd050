"""A table of programs by type, compiled ahead of time: what jit keeps, written out."""

import jax


def compile_once(f):
    programs = {}

    def g(x):
        kind = jax.typeof(x)
        if kind not in programs:
            programs[kind] = jax.jit(f).lower(x).compile()
        return programs[kind](x)

    return g
