# expects: zero-gradient at 7
import jax
import jax.numpy as jnp


def in_eight_bits(w):
    codes = jnp.clip(w * 127.0, -127.0, 127.0).astype(jnp.int8)
    return codes.astype(jnp.float32) / 127.0


def loss(params, x, y):
    return jnp.mean((in_eight_bits(params[0]) * x + params[1] - y) ** 2)


step = jax.jit(jax.value_and_grad(loss))
x = jnp.linspace(-1.0, 1.0, 12).reshape(4, 3)
params = (jnp.array([0.3, 0.2, -0.5]), jnp.array(0.0))
for _ in range(4):
    value, grads = step(params, x, 0.5 * x + 1.0)
    params = jax.tree.map(lambda p, g: p - 0.2 * g, params, grads)
print(value)
