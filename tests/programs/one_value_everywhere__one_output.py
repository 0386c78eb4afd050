# expects: one-value-everywhere at 13
"""A network with one output for two classes, and a softmax behind it."""

import jax
import jax.numpy as jnp

keys = jax.random.split(jax.random.key(0), 4)
points = jax.random.normal(keys[0], (64, 2))
labels = (points[:, 0] * points[:, 1] > 0).astype(jnp.float32)


def model(params, x):
    return jax.nn.softmax(jax.nn.sigmoid(x @ params["first"]) @ params["second"], axis=1)[:, 0]


def loss(params):
    return jnp.mean((model(params, points) - labels) ** 2)


params = {
    "first": jax.random.normal(keys[1], (2, 8)),
    "second": jax.random.normal(keys[2], (8, 1)),
}
for epoch in range(5):
    value, grads = jax.value_and_grad(loss)(params)
    params = jax.tree.map(lambda p, g: p - 0.5 * g, params, grads)
    print(epoch, value)
