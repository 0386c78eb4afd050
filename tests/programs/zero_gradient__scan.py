# expects: zero-gradient at 10
import jax
import jax.numpy as jnp
from jax import lax, random


def survivors(rate, key):
    def day(alive, key):
        # Each animal lives or dies: a draw has no slope.
        lives = random.bernoulli(key, jnp.exp(-rate), alive.shape)
        alive = alive * lives.astype(jnp.float32)
        return alive, alive.sum()

    return lax.scan(day, jnp.ones(50), random.split(key, 5))[1]


@jax.jit
def loss(rate):
    return jnp.mean((survivors(rate, random.key(1)) - 20.0) ** 2)


rate = jnp.float32(0.2)
for _ in range(3):
    rate = rate - 0.01 * jax.grad(loss)(rate)
print(rate)
