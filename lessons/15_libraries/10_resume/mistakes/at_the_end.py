# expects: check goes-on
# says: You save when the run is over. An interruption before that leaves nothing to go on from.
"""Saves once, at the end."""

import numpy as np
import orbax.checkpoint as ocp


def resume(folder, start, step, steps, every):
    manager = ocp.CheckpointManager(folder)
    now, done = {"state": start, "losses": np.zeros(steps, np.float32)}, manager.latest_step() or 0
    if done:
        now = manager.restore(done, args=ocp.args.StandardRestore(now))
    state, losses = now["state"], np.array(now["losses"])
    for i in range(done, steps):
        state, losses[i] = step(state)
    if done < steps:
        tree = {"state": state, "losses": losses}
        manager.save(steps, args=ocp.args.StandardSave(tree))
        manager.wait_until_finished()
    return losses
