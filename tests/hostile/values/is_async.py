# expects: raised: TypeError
# Is an async function.
import jax.numpy as jnp


async def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
