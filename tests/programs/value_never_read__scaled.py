# expects: value-never-read at 12
import jax
import jax.numpy as jnp


def scaled(table):
    return (table - table.mean(0)) / table.std(0)


def fit(table, target):
    weights = jnp.zeros(table.shape[1])
    columns = scaled(table)
    gradient = jax.grad(lambda w: jnp.mean((table @ w - target) ** 2))
    for _ in range(3):
        weights = weights - 1e-3 * gradient(weights)
    return weights


print(fit(jnp.array([[1.0, 20.0], [2.0, 10.0], [4.0, 30.0]]), jnp.array([1.0, 0.0, 2.0])))
