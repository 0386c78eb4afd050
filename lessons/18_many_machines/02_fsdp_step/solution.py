"""An eighth of the weights on each device, and a step with all of them."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def fsdp_step(loss, w, x, rate):
    """Return the loss of all examples, and the weights after a step; w and x are cut."""

    def step(w, x):
        def loss_of_all(w):
            # Inside of what is differentiated: so the backward pass scatters the gradient.
            whole = jax.tree.map(lambda leaf: jax.lax.all_gather(leaf, "d", tiled=True), w)
            return jax.lax.pmean(loss(whole, x), "d")

        value, slope = jax.value_and_grad(loss_of_all)(w)
        return value, jax.tree.map(lambda w, s: w - rate * s, w, slope)

    specs = (P("d"), P("d"))
    return jax.shard_map(step, mesh=MESH, in_specs=specs, out_specs=(P(), P("d")))(w, x)
