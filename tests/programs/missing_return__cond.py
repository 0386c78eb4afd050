# expects: missing-return
import jax


def yes(x):
    x * 2


def no(x):
    return x


jax.lax.cond(True, yes, no, 1.0)
