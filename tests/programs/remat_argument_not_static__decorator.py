# expects: remat-argument-not-static at 8
import jax
import jax.numpy as jnp

rates = jnp.linspace(0.1, 1.0, 3)


@jax.remat
def block(w, x, use_bias):
    y = w @ x
    return y + 1.0 if use_bias else y


def loss(w, x):
    return jnp.sum(block(w, x, True) ** 2)


print(jax.jit(jax.grad(loss))(jnp.eye(3), rates))
