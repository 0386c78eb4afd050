# expects: float16-overflow at 7
import jax
import jax.numpy as jnp


def unit_energy(images):
    energy = jnp.sum(images * images, axis=(1, 2), keepdims=True)
    return images / jnp.sqrt(energy)


images = jnp.full((2, 8, 8), 200, dtype=jnp.uint8)
jax.jit(unit_energy)(images.astype(jnp.float16))
