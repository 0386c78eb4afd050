# expects: nothing
import jax
import jax.numpy as jnp


@jax.jit
def scores(q, k, mask=None):
    values = q @ k.T
    return values if mask is None else jnp.where(mask, values, -jnp.inf)


out = (None, 0.0)
settings = {"scale": 2.0}
scale = settings.get("bias") or settings.get("scale")
print(scores(jnp.eye(2), jnp.eye(2), out[0]) * scale)
