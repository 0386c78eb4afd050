# expects: custom-rule-result at 17
import jax
import jax.numpy as jnp


@jax.custom_vjp
def rotate(position, angle):
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    x, y = position
    return cos * x - sin * y, sin * x + cos * y


def rotate_forward(position, angle):
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    x, y = position
    turned = jnp.stack([cos * x - sin * y, sin * x + cos * y])
    return turned, (turned, angle)


def rotate_backward(kept, cotangents):
    turned, angle = kept
    gx, gy = cotangents
    back = (jnp.cos(angle) * gx + jnp.sin(angle) * gy, -jnp.sin(angle) * gx + jnp.cos(angle) * gy)
    return back, gy * turned[0] - gx * turned[1]


rotate.defvjp(rotate_forward, rotate_backward)


@jax.jit
def height(angle):
    return rotate((1.0, 0.0), angle)[1]


print(height(0.5), jax.grad(height)(0.5))
