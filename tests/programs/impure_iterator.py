# expects: impure-iterator at 9
import jax


data = iter([1.0, 2.0, 3.0])


def body(i, s):
    return s + next(data)


jax.lax.fori_loop(0, 3, body, 0.0)
