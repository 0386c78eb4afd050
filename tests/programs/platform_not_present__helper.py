# expects: platform-not-present at 7
import jax
import jax.numpy as jnp


def pick(platform):
    return jax.local_devices(backend=platform)[0]


print(jax.device_put(jnp.ones(3), pick("metal")))
