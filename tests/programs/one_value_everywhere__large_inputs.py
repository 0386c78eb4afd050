# expects: one-value-everywhere at 15
"""A readout of random features of pixels that nothing scales."""

import jax
import jax.numpy as jnp

keys = jax.random.split(jax.random.key(0), 3)
images = jax.random.randint(keys[0], (32, 36), 0, 256).astype(jnp.float32)
labels = images[:, 0] / 255
first = jax.random.uniform(keys[1], (36, 8))


@jax.jit
def predict(readout, images):
    hidden = jnp.tanh(images @ first)
    return hidden @ readout


@jax.jit
def step(readout):
    def loss(readout):
        return jnp.mean((predict(readout, images) - labels) ** 2)

    value, grads = jax.value_and_grad(loss)(readout)
    return readout - 0.01 * grads, value


readout = jax.random.normal(keys[2], (8,))
for _ in range(20):
    readout, value = step(readout)
print(value)
