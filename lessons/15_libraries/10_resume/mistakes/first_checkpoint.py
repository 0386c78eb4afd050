# expects: check goes-on
# says: Your run goes on from a checkpoint that is not the newest, and does steps again.
"""Restores the first checkpoint."""

import numpy as np
import orbax.checkpoint as ocp


def resume(folder, start, step, steps, every):
    manager = ocp.CheckpointManager(folder)
    now, done = {"state": start, "losses": np.zeros(steps, np.float32)}, 0
    if manager.all_steps():
        done = every
        now = manager.restore(done, args=ocp.args.StandardRestore(now))
    for i in range(done, steps):
        state, loss = step(now["state"])
        losses = np.array(now["losses"])
        losses[i] = loss
        now = {"state": state, "losses": losses}
        if (i + 1) % every == 0 and i + 1 not in manager.all_steps():
            manager.save(i + 1, args=ocp.args.StandardSave(now))
            manager.wait_until_finished()
    return now["losses"]
