"""Writes each checkpoint by itself, with the losses as JAX arrays."""

import jax.numpy as jnp
import orbax.checkpoint as ocp


def resume(folder, start, step, steps, every):
    state, losses, first = start, jnp.zeros(steps), 0
    names = [int(path.name) for path in folder.iterdir() if path.name.isdigit()]
    with ocp.StandardCheckpointer() as checkpointer:
        if names:
            first = max(names)
            state, losses = checkpointer.restore(folder / str(first), (state, losses))
        for done in range(first + 1, steps + 1):
            state, loss = step(state)
            losses = losses.at[done - 1].set(loss)
            if not done % every:
                checkpointer.save(folder / str(done), (state, losses))
                checkpointer.wait_until_finished()
    return losses
