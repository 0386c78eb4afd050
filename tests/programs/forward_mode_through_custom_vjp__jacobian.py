# expects: forward-mode-through-custom-vjp at 27
import jax
import jax.numpy as jnp


@jax.custom_vjp
def soft_sign(x):
    return x / (1 + jnp.abs(x))


def forward(x):
    return soft_sign(x), 1 + jnp.abs(x)


def backward(scale, g):
    return (g / scale**2,)


soft_sign.defvjp(forward, backward)


def dynamics(state, gain):
    return jnp.array([state[1], -gain * soft_sign(state[0])])


def linearized(state, gain):
    return jax.jacfwd(dynamics)(state, gain)


print(jax.jit(linearized)(jnp.array([0.5, 0.0]), 2.0))
