# expects: scan-over-batch-axis at 16
# needs: flax
import jax.numpy as jnp
from flax import nnx

cell = nnx.SimpleCell(2, 3, rngs=nnx.Rngs(0))


def run(cell, carry, x):
    return cell(carry, x)


def last_states(cell, series):
    batch_size = series.shape[0]
    start = jnp.zeros((batch_size, 3))
    carry, _ = nnx.scan(run, in_axes=(None, nnx.Carry, 0), out_axes=(nnx.Carry, 0))(
        cell, start, series
    )
    return carry


print(last_states(cell, jnp.ones((5, 5, 2))).shape)
