# expects: field-after-default at 11
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Scale(eqx.Module):
    factor: jax.Array
    is_squared: bool = eqx.field(static=True, default=False)
    shift: jax.Array

    def __call__(self, x):
        y = self.factor * x + self.shift
        return y**2 if self.is_squared else y


print(eqx.filter_jit(Scale(jnp.ones(2), True, jnp.zeros(2)))(jnp.ones(2)))
