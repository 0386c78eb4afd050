# expects: check space
# says: Three checkpoints stay in the folder. The two newest are enough.
"""Keeps one too many."""

import orbax.checkpoint as ocp


def save_and_restore(folder):
    options = ocp.CheckpointManagerOptions(max_to_keep=3)
    manager = ocp.CheckpointManager(folder, options=options)

    def save(step, state):
        manager.save(step, args=ocp.args.StandardSave(state))
        manager.wait_until_finished()

    def restore(like):
        step = manager.latest_step()
        if step is None:
            return None
        return step, manager.restore(step, args=ocp.args.StandardRestore(like))

    return save, restore
