# expects: state-with-batch-axis at 19
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Scorer(eqx.Module):
    norm: eqx.nn.BatchNorm
    last: eqx.nn.Linear

    def __call__(self, x, state):
        x, state = self.norm(x, state)
        return self.last(x)[0], state


@eqx.filter_jit
def score(model, state, batch):
    scores, state = jax.vmap(
        model, axis_name="batch", in_axes=(0, None)
    )(batch, state)
    return scores, state


@eqx.nn.make_with_state
def make(key):
    norm = eqx.nn.BatchNorm(3, axis_name="batch", mode="batch")
    return Scorer(norm, eqx.nn.Linear(3, 1, key=key))


model, state = make(jax.random.key(0))
scores, state = score(model, state, jnp.arange(12.0).reshape(4, 3))
print(scores.shape)
