# expects: raised: TypeError
# or: failed: BCOO
# Gives a sparse array.
from jax.experimental import sparse


def safe_clip_positive(x):
    return sparse.BCOO.fromdense(x, nse=3)
