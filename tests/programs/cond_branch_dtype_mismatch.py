# expects: cond-branch-dtype-mismatch at 6
import jax


def f(x):
    return jax.lax.cond(x > 0, lambda v: v, lambda v: 0, x)


jax.jit(f)(1.0)
