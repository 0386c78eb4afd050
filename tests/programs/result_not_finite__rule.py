# expects: result-not-finite at 21
import jax
import jax.numpy as jnp


@jax.custom_vjp
def soft(x):
    return jnp.logaddexp(x, 0.0)


def forward(x):
    return soft(x), x


def backward(x, g):
    power = jnp.exp(x)
    return (g * power / (1.0 + power),)


soft.defvjp(forward, backward)
slope = jax.jit(jax.grad(lambda w: soft(w * jnp.array([1.0, 40.0, 120.0])).sum()))
print(slope(1.0))
