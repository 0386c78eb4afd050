# expects: vmap-non-array at 22
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Model(eqx.Module):
    layer: eqx.nn.Linear
    norm: eqx.nn.BatchNorm

    def __init__(self, width, key):
        self.layer = eqx.nn.Linear(width, 3, key=key)
        self.norm = eqx.nn.BatchNorm(3, axis_name="rows", mode="batch")

    def __call__(self, x, state):
        return self.norm(self.layer(x), state)


@eqx.filter_jit
def run(model, state, rows):
    rows, state = jax.vmap(model, axis_name="rows")(rows, state)
    return rows, state


model, state = eqx.nn.make_with_state(Model)(2, jax.random.key(0))
print(run(model, state, jnp.arange(8.0).reshape(4, 2))[0].shape)
