# expects: tuple-in-arithmetic at 7
import jax
import jax.numpy as jnp

x = jnp.arange(3.0)
g = jax.value_and_grad(lambda w: w.sum())(x)
print(x - 0.1 * g)
