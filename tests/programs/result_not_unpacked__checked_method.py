# expects: result-not-unpacked at 17
import jax
import jax.numpy as jnp
from jax.experimental import checkify


class Density:
    def __init__(self, floor):
        self.floor = floor
        self.log = jax.jit(checkify.checkify(self._log))

    def _log(self, x):
        checkify.check(jnp.all(x > self.floor), "too small")
        return jnp.log(x)

    def of(self, x):
        value = self.log(x)
        return value

    def scaled(self, x, factor):
        return self.of(x) * factor


print(Density(0.0).scaled(jnp.ones(3), jnp.float32(2.0)))
