# expects: symbolic-dimensions-not-equal at 8
import jax
import jax.numpy as jnp
from jax import export

s = export.symbolic_shape("n, m")
a = jax.ShapeDtypeStruct(s, jnp.float32)
e = export.export(jax.jit(lambda x: x + x.T))(a)
