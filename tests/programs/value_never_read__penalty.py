# expects: value-never-read at 10
import jax
import jax.numpy as jnp


def loss(params, x, y):
    error = jnp.mean((jnp.tanh(x @ params["w"]) @ params["v"] - y) ** 2)
    total = error
    for leaf in jax.tree.leaves(params):
        total += 1e-2 * jnp.sum(leaf**2)
    return error


@jax.jit
def step(params, x, y):
    value, gradient = jax.value_and_grad(loss)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, gradient), value


params = {"w": jnp.array([[0.1, -0.2], [0.3, 0.4]]), "v": jnp.ones(2)}
x = jnp.array([[1.0, 2.0], [3.0, -1.0]])
for _ in range(3):
    params, value = step(params, x, x[:, 0])
print(value)
