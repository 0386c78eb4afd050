# expects: nothing
import jax
import jax.numpy as jnp

x = jnp.linspace(0.0, 1.0, 60)
target = jnp.sin(5.0 * x)


def powers(n):
    return x[:, None] ** jnp.arange(n)


@jax.jit
def ridge(y):
    a = powers(9)
    return a @ jnp.linalg.solve(a.T @ a + 1e-3 * jnp.eye(9), a.T @ y)


@jax.jit
def process(y):
    k = jnp.exp(-0.5 * ((x[:, None] - x) / 0.2) ** 2) + 1e-4 * jnp.eye(60)
    factor = jax.scipy.linalg.cho_factor(k)
    return k @ jax.scipy.linalg.cho_solve(factor, y)


@jax.jit
def components(data):
    values, vectors = jnp.linalg.eigh(data.T @ data)
    left, scale, right = jnp.linalg.svd(data, full_matrices=False)
    return values[-2:], vectors[:, -2:], left[:, :2] * scale[:2] @ right[:2]


low = jnp.outer(x, jnp.arange(4.0)) + jnp.outer(x**2, jnp.ones(4))
print(jnp.linalg.matrix_rank(low), jnp.linalg.lstsq(low, target)[2])
print(jnp.linalg.lstsq(powers(4), target)[0], jnp.linalg.pinv(powers(3)).shape)
design = powers(3) * jnp.array([1.0, 1e5, 1.0])
print(jnp.linalg.lstsq(design, target, rcond=1e-4)[2], jnp.polyfit(x, target, 3))
print(ridge(target)[0], process(target)[0], components(powers(5))[0])
a, b = jnp.linalg.qr(powers(4))
print(jnp.linalg.solve(b, a.T @ target), jnp.linalg.inv(powers(2).T @ powers(2)))
