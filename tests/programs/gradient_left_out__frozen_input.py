# expects: gradient-left-out at 16
import jax
import jax.numpy as jnp


@jax.custom_vjp
def scaled(x, gain):
    return x * gain


def scaled_fwd(x, gain):
    return x * gain, (x, gain)


def scaled_bwd(kept, g):
    return g * kept[1], None


scaled.defvjp(scaled_fwd, scaled_bwd)


def loss_of(params, x, y):
    h = scaled(x @ params["w"], params["gain"])
    return jnp.mean((h - y) ** 2)


x = jax.random.normal(jax.random.key(0), (16, 4))
y = x.sum(axis=1, keepdims=True) * jnp.array([1.0, 3.0])
params = {"w": jnp.full((4, 2), 0.1), "gain": jnp.array([1.0, 1.0])}
for _ in range(10):
    grads = jax.grad(loss_of)(params, x, y)
    params = jax.tree.map(lambda p, g: p - 0.05 * g, params, grads)
print(params["gain"])
