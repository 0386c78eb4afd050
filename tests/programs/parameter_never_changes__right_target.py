# expects: nothing
import jax
import jax.numpy as jnp

online = {"w": jnp.sin(jnp.arange(3.0)), "b": jnp.array(0.2)}
params = {"online": online, "target": online}


def value(weights, x):
    return x @ weights["w"] + weights["b"]


def loss(online, target, x, reward):
    wanted = reward + 0.9 * value(target, x[::-1])
    return jnp.mean((value(online, x) - jax.lax.stop_gradient(wanted)) ** 2)


@jax.jit
def step(params, x, reward):
    grads = jax.grad(loss)(params["online"], params["target"], x, reward)
    online = jax.tree.map(lambda p, g: p - 0.05 * g, params["online"], grads)
    target = jax.tree.map(lambda t, p: 0.95 * t + 0.05 * p, params["target"], online)
    return {"online": online, "target": target}


x = jnp.cos(jnp.arange(24.0)).reshape(8, 3)
for _ in range(15):
    params = step(params, x, jnp.linspace(0.0, 1.0, 8))
