# expects: integer-overflow at 7
import jax.numpy as jnp
from jax import jit


def weights(digits):
    return 1.0 / 1000 ** jnp.arange(1, digits + 1)


@jit
def fraction(groups):
    return groups @ weights(groups.shape[-1])


print(fraction(jnp.array([[125.0, 0.0, 500.0, 250.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]])))
