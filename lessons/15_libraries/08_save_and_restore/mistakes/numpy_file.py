# expects: check types
# says: Your numbers are right, but not their types: keys come back as numbers, or `bfloat16` as
#     `float32`.
"""Writes a file of numpy, in float32."""

import jax
import jax.numpy as jnp
import numpy as np


def save_and_restore(folder):
    def plain(leaf):
        if jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key):
            return np.asarray(jax.random.key_data(leaf))
        return np.asarray(leaf, np.float32 if leaf.dtype == jnp.bfloat16 else None)

    def files():
        return sorted(folder.glob("*.npz"), key=lambda path: int(path.stem))

    def save(step, state):
        np.savez(folder / f"{step}.npz", *map(plain, jax.tree.leaves(state)))
        for old in files()[:-2]:
            old.unlink()

    def restore(like):
        if not files():
            return None
        found = np.load(files()[-1])
        leaves = [jnp.asarray(found[name]) for name in found.files]
        return int(files()[-1].stem), jax.tree.unflatten(jax.tree.structure(like), leaves)

    return save, restore
