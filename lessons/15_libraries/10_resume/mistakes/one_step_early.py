# expects: check values
# says: After the interruption a step is done twice: your checkpoint has the number of the last step,
#     and not of the steps that are done.
"""Saves under the number of the last step, and repeats it."""

import numpy as np
import orbax.checkpoint as ocp


def resume(folder, start, step, steps, every):
    manager = ocp.CheckpointManager(folder)
    now, done = {"state": start, "losses": np.zeros(steps, np.float32)}, 0
    if manager.latest_step() is not None:
        done = manager.latest_step()
        now = manager.restore(done, args=ocp.args.StandardRestore(now))
    for i in range(done, steps):
        state, loss = step(now["state"])
        losses = np.array(now["losses"])
        losses[i] = loss
        now = {"state": state, "losses": losses}
        if (i + 1) % every == 0:
            manager.save(i, args=ocp.args.StandardSave(now))
            manager.wait_until_finished()
    return now["losses"]
