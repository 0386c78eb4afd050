# expects: container-for-array at 12
import jax
import jax.numpy as jnp


def tide(parts, hours):
    return parts["height"] * jnp.cos(parts["speed"] * hours)


def information(parts, hours):
    sensitivity = jax.jacfwd(tide)(parts, hours)
    return sensitivity.T @ sensitivity


information({"height": jnp.float32(2.0), "speed": jnp.float32(0.5)}, jnp.arange(4.0))
