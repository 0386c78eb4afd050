# expects: symbolic-dimension-missing at 6
import jax
import jax.numpy as jnp
from jax import export

spec = jax.ShapeDtypeStruct((None, 3), jnp.float32)
e = export.export(jax.jit(lambda x: 2 * x))(spec)
