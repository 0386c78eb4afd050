"""Waits for each checkpoint, and keeps the losses in a list."""

import numpy as np
import orbax.checkpoint as ocp


def resume(folder, start, step, steps, every):
    with ocp.CheckpointManager(folder) as manager:
        done, state, losses = 0, start, []
        if manager.latest_step() is not None:
            done = manager.latest_step()
            like = {"state": start, "losses": np.zeros(done, np.float32)}
            found = manager.restore(done, args=ocp.args.StandardRestore(like))
            state, losses = found["state"], list(found["losses"])
        while done < steps:
            state, loss = step(state)
            losses.append(np.float32(loss))
            done += 1
            if done % every == 0:
                tree = {"state": state, "losses": np.array(losses, np.float32)}
                manager.save(done, args=ocp.args.StandardSave(tree))
                manager.wait_until_finished()
    return np.array(losses, np.float32)
