# expects: missing-return
import jax


def body(s):
    s = s / 2


jax.lax.while_loop(lambda s: s > 1, body, 4.0)
