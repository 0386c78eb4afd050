# expects: carry-parts-swapped at 14
import jax
import jax.numpy as jnp


class Chain:
    def __init__(self, scale):
        self.scale = scale

    def step(self, carry, _):
        position, key = carry
        key, subkey = jax.random.split(key)
        position = position + self.scale * jax.random.normal(subkey, position.shape)
        return (key, position), position

    def run(self, key, n):
        return jax.lax.scan(self.step, (jnp.zeros(2), key), length=n)[1]


print(jax.jit(Chain(0.1).run, static_argnums=1)(jax.random.key(0), 4).shape)
