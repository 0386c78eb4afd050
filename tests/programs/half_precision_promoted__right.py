# expects: nothing
import jax
import jax.numpy as jnp

HALF = jnp.bfloat16


def normalize(x, scale):
    wide = x.astype(jnp.float32)
    return (wide * jax.lax.rsqrt(jnp.mean(wide**2, -1, keepdims=True)) * scale).astype(x.dtype)


def loss(params, x, class_weights):
    x = normalize(x, params["scale"])
    stream = x.astype(jnp.float32)
    for w in params["layers"]:
        stream = stream + jax.nn.gelu(stream.astype(HALF) @ w / 8**0.5)
    return jnp.mean((stream.astype(HALF) * class_weights) ** 2)


@jax.jit
def step(params, momentum, x, class_weights):
    grads = jax.grad(loss)(params, x, class_weights)
    momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, grads)
    return jax.tree.map(lambda p, m: (p - 0.1 * m).astype(p.dtype), params, momentum), momentum


params = {"scale": jnp.ones(8), "layers": [jnp.eye(8, dtype=HALF)] * 3}
momentum = jax.tree.map(lambda p: jnp.zeros(p.shape), params)
for _ in range(3):
    params, momentum = step(params, momentum, jnp.ones((4, 8), HALF), jnp.linspace(0.0, 1.0, 8))
print(params["scale"].mean())
