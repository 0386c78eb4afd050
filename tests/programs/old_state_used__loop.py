# expects: old-state-used at 21
# needs: equinox
import equinox as eqx
import jax.numpy as jnp


class Running(eqx.Module):
    mean: eqx.nn.StateIndex

    def __init__(self, size):
        self.mean = eqx.nn.StateIndex(jnp.zeros(size))

    def __call__(self, x, state):
        mean = 0.9 * state.get(self.mean) + 0.1 * x
        return x - mean, state.set(self.mean, mean)


def centre(model, state, rows):
    centred = []
    for row in rows:
        out, new_state = model(row, state)
        centred.append(out)
    return jnp.stack(centred), new_state


model, state = eqx.nn.make_with_state(Running)(2)
rows, state = centre(model, state, jnp.arange(6.0).reshape(3, 2))
print(rows, state.get(model.mean))
