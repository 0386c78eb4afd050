# expects: old-state-used at 18
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    first: eqx.nn.BatchNorm
    second: eqx.nn.BatchNorm

    def __init__(self):
        self.first = eqx.nn.BatchNorm(3, "batch", mode="batch")
        self.second = eqx.nn.BatchNorm(3, "batch", mode="batch")

    def __call__(self, x, state):
        x, state1 = self.first(x, state)
        x, state2 = self.second(jax.nn.relu(x), state)
        return x, state2


model, state = eqx.nn.make_with_state(Net)()
rows = jax.random.normal(jax.random.key(0), (8, 3))
run = jax.vmap(model, axis_name="batch", in_axes=(0, None), out_axes=(0, None))
print(run(rows, state)[0].mean())
