# expects: check goes-on
# says: Your run begins at step 0 after each interruption. The losses are right, and the time is
#     lost.
"""Writes checkpoints and never reads them."""

import numpy as np
import orbax.checkpoint as ocp


def resume(folder, start, step, steps, every):
    manager = ocp.CheckpointManager(folder)
    state, losses = start, np.zeros(steps, np.float32)
    for i in range(steps):
        state, losses[i] = step(state)
        if (i + 1) % every == 0 and i + 1 not in manager.all_steps():
            manager.save(i + 1, args=ocp.args.StandardSave(state))
            manager.wait_until_finished()
    return losses
