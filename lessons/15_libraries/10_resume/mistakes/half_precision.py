# expects: check values
# says: After the interruption your losses differ a little: what came back from the disk has fewer
#     digits than what was saved.
"""Saves the parameters in half precision."""

import jax.numpy as jnp
import numpy as np
import orbax.checkpoint as ocp


def resume(folder, start, step, steps, every):
    manager = ocp.CheckpointManager(folder)
    small = {**start, "w": start["w"].astype(jnp.bfloat16)}
    state, losses, done = start, np.zeros(steps, np.float32), manager.latest_step() or 0
    if done:
        like = {"state": small, "losses": losses}
        found = manager.restore(done, args=ocp.args.StandardRestore(like))
        state, losses = found["state"], np.array(found["losses"])
        state["w"] = state["w"].astype(jnp.float32)
    for i in range(done, steps):
        state, losses[i] = step(state)
        if (i + 1) % every == 0:
            saved = {**state, "w": state["w"].astype(jnp.bfloat16)}
            tree = {"state": saved, "losses": losses.copy()}
            manager.save(i + 1, args=ocp.args.StandardSave(tree))
            manager.wait_until_finished()
    return losses
