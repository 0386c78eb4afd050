# expects: symbolic-dimension-inconclusive at 7
import jax
import jax.numpy as jnp
from jax import export

a = jax.ShapeDtypeStruct(export.symbolic_shape("n, 3"), jnp.float32)
e = export.export(jax.jit(lambda x: x * int(x.shape[0])))(a)
