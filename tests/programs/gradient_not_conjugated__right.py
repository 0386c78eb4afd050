# expects: nothing
# needs: optax
import jax
import jax.numpy as jnp
import numpy as np
import optax

rng = np.random.default_rng(2)
rows = jnp.asarray(rng.normal(size=(16, 5)) + 1j * rng.normal(size=(16, 5)))
goal = rows @ jnp.asarray(rng.normal(size=5) + 1j * rng.normal(size=5))


def misfit(z):
    return jnp.mean(jnp.abs(rows @ z - goal) ** 2)


def potential(z):
    return z**4 / 4 - z


@jax.jit
def step(z):
    return z - 0.05 * jnp.conj(jax.grad(misfit)(z))


z = jnp.zeros(5, complex)
for _ in range(50):
    z = step(z)
print("by hand", misfit(z))

tx = optax.sgd(0.05, momentum=0.5)
z = jnp.zeros(5, complex)
state = tx.init(z)
for _ in range(50):
    slope = jax.grad(misfit)(z)
    updates, state = tx.update(slope.conj(), state)
    z = optax.apply_updates(z, updates)
print("optax", misfit(z))

root = jnp.complex64(-0.4 + 0.6j)
for _ in range(30):
    root = root - 0.1 * jax.grad(potential, holomorphic=True)(root)
print("a root of its derivative", root, root**3)

parts = jnp.zeros((2, 5))
for _ in range(50):
    parts = parts - 0.05 * jax.grad(lambda p: misfit(p[0] + 1j * p[1]))(parts)
print("two real arrays", misfit(parts[0] + 1j * parts[1]))
