# expects: dtype-lost-in-npz at 16
import io

import jax
import jax.numpy as jnp
import numpy as np

params = {"w": jnp.full((2, 3), 0.5, jnp.bfloat16), "b": jnp.zeros(3, jnp.float32)}
file = io.BytesIO()
np.savez(file, **{name: np.asarray(leaf) for name, leaf in params.items()})
file.seek(0)
stored = np.load(file)
restored = {}
for name in ("b", "w"):
    leaf = stored[name]
    restored[name] = jnp.asarray(leaf)
print(jax.tree.map(jnp.sum, restored))
