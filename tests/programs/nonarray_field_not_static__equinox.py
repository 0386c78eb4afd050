# expects: nonarray-field-not-static at 9
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Encoding(eqx.Module):
    length: int

    def __call__(self):
        return jnp.sin(jnp.arange(self.length))


@jax.jit
def table(encoding):
    return encoding()


table(Encoding(6))
