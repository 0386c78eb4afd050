# expects: nothing
import jax
import jax.numpy as jnp


def energy(q):
    return 0.5 * jnp.sum(q["x"] ** 2) + jnp.sum(q["y"] ** 4)


def loss_of(w):
    return jnp.sum((w["a"] - 1.0) ** 2) + jnp.sum((w["b"] + w["a"].sum()) ** 2)


w = {"a": jnp.zeros(3), "b": jnp.ones(2)}
velocity = squares = jax.tree.map(jnp.zeros_like, w)
for _ in range(12):
    grads = jax.grad(loss_of)(w)
    velocity = jax.tree.map(lambda v, g: 0.9 * v + g, velocity, grads)
    squares = jax.tree.map(jnp.add, squares, jax.tree.map(jnp.square, grads))
    scaled = jax.tree.map(lambda g, s: g / (jnp.sqrt(s) + 1e-3), velocity, squares)
    w = jax.tree.map(lambda p, u: p - 0.05 * u, w, scaled)
print(loss_of(w))

q = {"x": jnp.array([1.0, 0.5]), "y": jnp.array([0.2, 0.3])}
p = jax.tree.map(lambda leaf: 0.1 * jnp.ones_like(leaf), q)
for _ in range(12):
    force = jax.tree.map(jnp.negative, jax.grad(energy)(q))
    p = jax.tree.map(lambda p, f: p + 0.05 * f, p, force)
    q = jax.tree.map(lambda q, p: q + 0.05 * p, q, p)
print(energy(q))
