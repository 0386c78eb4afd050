# expects: dtype-lost-in-npz at 19
import io

import jax
import jax.numpy as jnp
import numpy as np

buffer = io.BytesIO()
np.save(buffer, np.asarray(jnp.linspace(0, 1, 5, dtype=jnp.bfloat16)))
buffer.seek(0)


@jax.jit
def smooth(signal):
    return jnp.convolve(signal, jnp.ones(3) / 3, mode="same")


signal = np.load(buffer)
print(smooth(signal))
