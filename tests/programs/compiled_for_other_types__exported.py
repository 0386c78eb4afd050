# expects: compiled-for-other-types at 8
import jax
import jax.numpy as jnp
from jax import export

a = jax.ShapeDtypeStruct((4, 3), jnp.float32)
e = export.export(jax.jit(lambda x: 2 * x))(a)
print(e.call(jnp.ones((5, 3))))
