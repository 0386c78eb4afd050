# expects: check values
# says: The checkpoint that comes back is not the newest one.
"""Restores the oldest checkpoint."""

import orbax.checkpoint as ocp


def save_and_restore(folder):
    options = ocp.CheckpointManagerOptions(max_to_keep=2)
    manager = ocp.CheckpointManager(folder, options=options)

    def save(step, state):
        manager.save(step, args=ocp.args.StandardSave(state))
        manager.wait_until_finished()

    def restore(like):
        if not manager.all_steps():
            return None
        step = min(manager.all_steps())
        return step, manager.restore(step, args=ocp.args.StandardRestore(like))

    return save, restore
