"""As if nothing had happened."""

import numpy as np
import orbax.checkpoint as ocp


def resume(folder, start, step, steps, every):
    """Train until so many steps are done, from the newest checkpoint on; return all losses."""
    options = ocp.CheckpointManagerOptions(max_to_keep=2)
    manager = ocp.CheckpointManager(folder, options=options)
    state, losses, done = start, np.zeros(steps, np.float32), manager.latest_step() or 0
    if done:
        like = {"state": state, "losses": losses}
        saved = manager.restore(done, args=ocp.args.StandardRestore(like))
        state, losses = saved["state"], np.array(saved["losses"])
    for i in range(done, steps):
        state, losses[i] = step(state)
        if (i + 1) % every == 0:
            # Under the number of steps that are done, with all that comes back later.
            now = {"state": state, "losses": losses}
            manager.save(i + 1, args=ocp.args.StandardSave(now))
            manager.wait_until_finished()
    return losses
