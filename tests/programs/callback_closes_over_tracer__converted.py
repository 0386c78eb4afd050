# expects: callback-closes-over-tracer at 14
import jax
import jax.numpy as jnp
import numpy as np

readings = np.array([3.0, 1.0, 2.0], dtype=np.float32)


@jax.jit
def reading(row):
    def load():
        return readings[int(row)]

    return jax.pure_callback(load, jax.ShapeDtypeStruct((), jnp.float32))


print(reading(2))
