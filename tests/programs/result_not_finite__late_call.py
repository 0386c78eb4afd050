# expects: result-not-finite at 9
import jax
import jax.numpy as jnp


@jax.jit
def blend(image, hour):
    """The lamps are equally bright at half past nine, in the 95th picture."""
    share = 1.0 / (hour - 9.5)
    return image * 0.9 + 0.1 * jnp.tanh(share) + share


image = jnp.zeros((8, 8))
for n in range(120):
    image = blend(image, 0.1 * n) if n != 95 else blend(image, 9.5)
print(image.mean())
