# expects: pairs-shuffled-apart at 9
import jax
import jax.numpy as jnp

key = jax.random.key(3)
images, labels = jnp.ones((12, 4)), jnp.arange(12) % 3
first, second = jax.random.split(key)
images = jax.random.permutation(first, images)
labels = jax.random.permutation(second, labels)
print(images[:4].shape, labels[:4])
