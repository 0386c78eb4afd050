# expects: scan-body-not-pair at 7
import jax.numpy as jnp


from jax import lax

r = lax.scan(lambda c, x: c * x, 1.0, jnp.arange(3.0))
