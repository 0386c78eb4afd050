# expects: wrong-arity at 9
import jax


def loss(w, x, y):
    return ((w * x - y) ** 2).sum()


jax.jit(lambda w: loss(w, 1.0))(2.0)
