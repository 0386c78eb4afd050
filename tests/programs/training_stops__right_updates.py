# expects: nothing
import jax
import jax.numpy as jnp

EPOCHS, BATCHES = 20, 8


def loss(w, x, y):
    return jnp.mean((jnp.tanh(x @ w["w"] + w["b"]) - y) ** 2)


def rate(count):
    done = jnp.minimum(count / (EPOCHS * BATCHES), 1.0)
    return 0.05 * (1.0 + jnp.cos(jnp.pi * done))


@jax.jit
def step(w, velocity, count, x, y):
    value, slope = jax.value_and_grad(loss)(w, x, y)
    velocity = jax.tree.map(lambda v, g: 0.9 * v + g, velocity, slope)
    w = jax.tree.map(lambda p, v: p - rate(count) * v, w, velocity)
    return w, velocity, count + 1, value


numbers = jax.random.normal(jax.random.key(0), (BATCHES, 16, 3))
labels = jnp.sin(3.0 * numbers.sum(-1))
w = {"w": jnp.array([0.1, 0.2, -0.1]), "b": jnp.zeros(1)}
velocity, count = jax.tree.map(jnp.zeros_like, w), jnp.array(0)
for epoch in range(EPOCHS):
    for batch in range(BATCHES):
        w, velocity, count, value = step(w, velocity, count, numbers[batch], labels[batch])
