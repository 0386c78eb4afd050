# expects: check values
# says: The losses from before the interruption are missing. They are not in the state of training,
#     so they have to be saved with it.
"""Does not save the losses."""

import numpy as np
import orbax.checkpoint as ocp


def resume(folder, start, step, steps, every):
    manager = ocp.CheckpointManager(folder)
    state, losses, done = start, np.zeros(steps, np.float32), manager.latest_step() or 0
    if done:
        state = manager.restore(done, args=ocp.args.StandardRestore(start))
    for i in range(done, steps):
        state, losses[i] = step(state)
        if (i + 1) % every == 0:
            manager.save(i + 1, args=ocp.args.StandardSave(state))
            manager.wait_until_finished()
    return losses
