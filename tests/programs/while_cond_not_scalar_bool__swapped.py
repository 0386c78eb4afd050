# expects: while-cond-not-scalar-bool at 13
import jax


def halve(x):
    return x / 2


def is_large(x):
    return x > 1.0


jax.lax.while_loop(halve, is_large, 8.0)
