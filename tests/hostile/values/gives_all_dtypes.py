# expects: failed|crashed|timed_out|raised: 
# Gives one array of each dtype there is.
import jax.numpy as jnp
import jax
import numpy as np

DTYPES = []
for name in dir(jnp):
    kind = getattr(jnp, name)
    try:
        DTYPES.append(jnp.zeros(2, kind).dtype)
    except Exception:
        pass


def safe_clip_positive(x):
    return [jnp.zeros(2, dtype) for dtype in DTYPES] + [jax.random.key(0), np.zeros(2, jax.dtypes.float0)]
