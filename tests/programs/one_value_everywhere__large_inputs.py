# expects: one-value-everywhere at 13
"""A network of pixels that nothing scales."""

import jax
import jax.numpy as jnp

keys = jax.random.split(jax.random.key(0), 3)
images = jax.random.randint(keys[0], (32, 36), 0, 256).astype(jnp.float32)
labels = images[:, 0] / 255


def predict(params, images):
    hidden = jnp.tanh(images @ params["first"])
    return hidden @ params["second"]


@jax.jit
def step(params):
    def loss(params):
        return jnp.mean((predict(params, images) - labels) ** 2)

    value, grads = jax.value_and_grad(loss)(params)
    return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads), value


params = {
    "first": jax.random.uniform(keys[1], (36, 8)),
    "second": jax.random.normal(keys[2], (8,)),
}
for _ in range(20):
    params, value = step(params)
print(value)
