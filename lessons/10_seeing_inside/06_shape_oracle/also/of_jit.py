"""The same method of a compiled function, without compiling."""

import jax


def output_spec(f, *specs):
    return jax.jit(f).eval_shape(*specs)
