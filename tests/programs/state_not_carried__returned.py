# expects: state-not-carried at 18
import jax
import jax.numpy as jnp


def moments(running, x):
    centre = 0.9 * running["centre"] + 0.1 * jnp.mean(x, axis=0)
    spread = 0.9 * running["spread"] + 0.1 * jnp.var(x, axis=0)
    return {"centre": centre, "spread": spread}


@jax.jit
def update(w, running, x, y):
    moments(running, x)
    scaled = (x - running["centre"]) / jnp.sqrt(running["spread"])
    error, slope = jax.value_and_grad(lambda w: jnp.mean((scaled @ w - y) ** 2))(w)
    w = w - 0.1 * slope
    return w, running, error


x = 3.0 + 2.0 * jax.random.normal(jax.random.key(0), (32, 2))
y = x @ jnp.array([1.0, -1.0])
w, running = jnp.zeros(2), {"centre": jnp.zeros(2), "spread": jnp.ones(2)}
for _ in range(20):
    w, running, error = update(w, running, x, y)
print(w, running)
