# expects: missing-return
import jax


def body(i, s):
    s = s + i


jax.lax.fori_loop(0, 3, body, 0.0)
