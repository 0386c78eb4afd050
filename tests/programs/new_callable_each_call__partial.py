# expects: new-callable-each-call at 13
import functools

import jax


def scale(x, k):
    return x * k


class Model:
    def __call__(self, x):
        return jax.jit(functools.partial(scale, k=2.0))(x)


m = Model()
for _ in range(4):
    m(1.0)
