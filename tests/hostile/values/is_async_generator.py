# expects: raised: TypeError
# Is an async generator function.
import jax.numpy as jnp


async def safe_clip_positive(x):
    yield jnp.where(x < 0, 0, x)
