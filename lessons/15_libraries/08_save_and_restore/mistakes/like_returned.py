# expects: check values
# says: What comes back are the numbers of `like`. It only says how the tree looks.
"""Returns the tree that only describes the types."""

import orbax.checkpoint as ocp


def save_and_restore(folder):
    manager = ocp.CheckpointManager(folder, options=ocp.CheckpointManagerOptions(max_to_keep=2))

    def save(step, state):
        manager.save(step, args=ocp.args.StandardSave(state))
        manager.wait_until_finished()

    def restore(like):
        if manager.latest_step() is None:
            return None
        manager.restore(manager.latest_step(), args=ocp.args.StandardRestore(like))
        return manager.latest_step(), like

    return save, restore
