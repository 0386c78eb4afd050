# expects: leaked-by-attribute at 11
import functools

import jax
import jax.numpy as jnp


class Cell:
    @functools.partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        self.state = jnp.tanh(x)
        return self.state * 2


c = Cell()
c(1.0)
print(c.state + 1)
