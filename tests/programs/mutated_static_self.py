# expects: mutated-static-self at 11
import functools

import jax


class Scaler:
    def __init__(self, k):
        self.k = k

    @functools.partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return x * self.k


s = Scaler(2.0)
s(1.0)
s.k = 3.0
s(1.0)
