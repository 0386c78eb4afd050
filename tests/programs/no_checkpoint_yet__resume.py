# expects: no-checkpoint-yet at 17
# needs: orbax
import tempfile

import jax
import jax.numpy as jnp
import orbax.checkpoint as ocp


def loss(weights):
    return jnp.sum((weights["w"] - 2.0) ** 2)


def train(folder, rounds):
    weights = {"w": jnp.zeros(3)}
    with ocp.CheckpointManager(folder) as manager:
        weights = manager.restore(manager.latest_step(), args=ocp.args.StandardRestore(weights))
        for number in range(rounds):
            gradient = jax.grad(loss)(weights)
            weights = jax.tree.map(lambda w, g: w - 0.1 * g, weights, gradient)
            manager.save(number, args=ocp.args.StandardSave(weights))
    return loss(weights)


print(train(tempfile.mkdtemp(), 2))
