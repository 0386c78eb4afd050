# expects: symbolic-scopes-mixed at 8
import jax
import jax.numpy as jnp
from jax import export

a = jax.ShapeDtypeStruct(export.symbolic_shape("n, 3"), jnp.float32)
b = jax.ShapeDtypeStruct(export.symbolic_shape("n, 3"), jnp.float32)
e = export.export(jax.jit(lambda x, y: x + y))(a, b)
