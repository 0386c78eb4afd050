# expects: check types
# says: Your numbers are right, but tuples come back as lists and the optimiser's tuples as dicts.
#     The files do not know these types: the tree that is passed does.
"""Restores without a tree to follow."""

import orbax.checkpoint as ocp


def save_and_restore(folder):
    manager = ocp.CheckpointManager(folder, options=ocp.CheckpointManagerOptions(max_to_keep=2))

    def save(step, state):
        manager.save(step, args=ocp.args.StandardSave(state))
        manager.wait_until_finished()

    def restore(like):
        step = manager.latest_step()
        if step is None:
            return None
        return step, manager.restore(step, args=ocp.args.StandardRestore())

    return save, restore
