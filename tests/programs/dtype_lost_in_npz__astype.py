# expects: dtype-lost-in-npz at 12
import tempfile
from pathlib import Path

import jax.numpy as jnp
import numpy as np

with tempfile.TemporaryDirectory() as home:
    path = Path(home, "embedding.npy")
    np.save(path, np.asarray(jnp.ones((4, 2), jnp.bfloat16)))
    table = np.load(path)
embedding = table.astype(jnp.bfloat16)
print(jnp.asarray(embedding)[jnp.array([0, 2])])
