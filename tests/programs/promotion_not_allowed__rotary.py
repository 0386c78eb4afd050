# expects: promotion-not-allowed at 10
import jax
import jax.numpy as jnp

jax.config.update("jax_numpy_dtype_promotion", "strict")


@jax.jit
def angles(positions, rates):
    turns = positions * rates
    return jnp.sin(turns)


try:
    print(angles(jnp.arange(4), jnp.linspace(0.0, 1.0, 4)))
finally:
    jax.config.update("jax_numpy_dtype_promotion", "standard")
