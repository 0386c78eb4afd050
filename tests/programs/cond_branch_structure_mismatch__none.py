# expects: cond-branch-structure-mismatch
import jax


def log(v):
    jax.debug.print("{}", v)


def f(v):
    return jax.lax.cond(v > 0, lambda u: u, log, v)


f(1.0)
