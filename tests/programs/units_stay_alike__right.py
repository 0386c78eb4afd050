# expects: nothing
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(5)
x = jnp.asarray(rng.normal(size=(64, 6)), jnp.float32)
y = jnp.sin(x[:, :3]).sum(axis=1, keepdims=True)


def block(params, x):
    hidden = jax.nn.gelu(x @ params["up"] + params["up_bias"])
    return hidden @ params["down"] + params["down_bias"]


def loss(params, x, y):
    return jnp.mean((x.mean(axis=1, keepdims=True) + block(params, x) - y) ** 2)


@jax.jit
def step(params, x, y):
    slopes = jax.grad(loss)(params, x, y)
    return jax.tree.map(lambda p, s: p - 0.05 * s, params, slopes)


def linear_loss(weights, x, y):
    return jnp.mean((x @ weights - y) ** 2)


params = {
    "up": jax.random.normal(jax.random.key(1), (6, 24)) / 6**0.5,
    "up_bias": jnp.zeros(24),
    "down": jnp.zeros((24, 1)),
    "down_bias": jnp.zeros(1),
}
for _ in range(30):
    params = step(params, x, y)
print("residual block", loss(params, x, y))

weights = jnp.zeros((6, 1))
descend = jax.jit(lambda w: w - 0.1 * jax.grad(linear_loss)(w, x, y))
for _ in range(30):
    weights = descend(weights)
print("linear", linear_loss(weights, x, y))
