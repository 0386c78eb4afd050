# expects: nothing
import jax
import jax.numpy as jnp

params = {"waves": jnp.sin(jnp.arange(4.0)), "mix": jnp.cos(jnp.arange(4.0))}


def loss(params, x):
    waves = jax.lax.stop_gradient(params["waves"])
    return jnp.mean((x * jnp.dot(waves, params["mix"]) - 1.0) ** 2)


@jax.jit
def step(params, x):
    grads = jax.grad(loss)(params, x)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


for _ in range(12):
    params = step(params, jnp.linspace(0.0, 1.0, 8))
