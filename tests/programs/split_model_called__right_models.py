# expects: nothing
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Cell(eqx.Module):
    weight: jax.Array
    bias: jax.Array = None
    squash: callable = None

    def __call__(self, x):
        y = self.weight @ x
        y = y if self.bias is None else y + self.bias
        return y if self.squash is None else self.squash(y)


@eqx.filter_jit
def step(cell, xs, ys):
    def loss(cell):
        return jnp.mean((jax.vmap(cell)(xs) - ys) ** 2)

    value, grads = eqx.filter_value_and_grad(loss)(cell)
    cell = eqx.apply_updates(cell, jax.tree.map(lambda g: -0.1 * g, grads))
    return cell, value


def fit(cell, xs, ys, rounds):
    for _ in range(rounds):
        cell, value = step(cell, xs, ys)
    return cell, value


xs = jnp.arange(6.0).reshape(3, 2)
ys = jnp.ones((3, 1))
weight = jnp.full((1, 2), 0.3)
models = [Cell(weight, jnp.zeros(1), jnp.tanh), Cell(weight, None, jnp.tanh), Cell(weight)]
for cell in models:
    for _ in range(2):
        cell, value = step(cell, xs, ys)
    print(value)
print([fit(cell, xs, ys, 3)[1] for cell in models])
params, static = eqx.partition(models[0], eqx.is_inexact_array)
for _ in range(3):
    grads = jax.grad(lambda p: jnp.mean((jax.vmap(eqx.combine(p, static))(xs) - ys) ** 2))(params)
    params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
cell = eqx.combine(params, static)
for _ in range(3):
    cell = eqx.combine(jax.tree.map(lambda p: 0.9 * p, eqx.filter(cell, eqx.is_array)), static)
    print(step(cell, xs, ys)[1])
