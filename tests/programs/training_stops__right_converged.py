# expects: nothing
import jax
import jax.numpy as jnp


def loss(w, x):
    return jnp.mean((x @ w["w"] - x @ jnp.array([2.0, -1.0])) ** 2)


@jax.jit
def step(w, x):
    value, slope = jax.value_and_grad(loss)(w, x)
    return {"w": w["w"] - 0.3 * slope["w"]}, value


w = {"w": jnp.array([0.3, -0.2])}
for x in jax.random.normal(jax.random.key(3), (300, 16, 2)):
    w, value = step(w, x)
