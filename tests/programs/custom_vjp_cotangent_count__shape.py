# expects: custom-vjp-cotangent-count at 17
import jax
import jax.numpy as jnp


@jax.custom_vjp
def shifted(x, offset):
    return x + offset


def forward(x, offset):
    return x + offset, None


def backward(_, grad):
    grad = jnp.clip(grad, -1.0, 1.0)
    return grad, grad


shifted.defvjp(forward, backward)
print(jax.grad(lambda o: jnp.sum(shifted(jnp.ones((4, 3)), o)))(jnp.zeros(3)))
