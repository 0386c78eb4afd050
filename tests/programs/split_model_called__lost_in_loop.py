# expects: split-model-called at 34
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Cell(eqx.Module):
    weight: jax.Array
    squash: callable = None

    def __call__(self, x):
        y = self.weight @ x
        return y if self.squash is None else self.squash(y)


@eqx.filter_jit
def gradient(cell, xs, ys):
    def loss(cell):
        return jnp.mean((jax.vmap(cell)(xs) - ys) ** 2)

    return eqx.filter_value_and_grad(loss)(cell)


def descend(params, grads):
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


cell = Cell(jnp.full((1, 2), 0.3), jnp.tanh)
xs = jnp.arange(6.0).reshape(3, 2)
ys = jnp.ones((3, 1))
for _ in range(4):
    loss, grads = gradient(cell, xs, ys)
    cell = descend(eqx.filter(cell, eqx.is_inexact_array), grads)
print(loss, cell.weight)
