# expects: callback-without-vmap-method at 9
import jax
import jax.numpy as jnp
import numpy as np


def median(row):
    kind = jax.ShapeDtypeStruct((), row.dtype)
    return jax.pure_callback(lambda r: np.median(r).astype(np.float32), kind, row)


print(jax.vmap(median)(jnp.arange(6.0).reshape(2, 3)))
