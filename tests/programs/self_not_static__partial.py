# expects: self-not-static at 10
import functools

import jax


class Env:
    gamma = 0.9

    @functools.partial(jax.jit, static_argnames="n")
    def rollout(self, x, n):
        return x * self.gamma**n


Env().rollout(1.0, n=3)
