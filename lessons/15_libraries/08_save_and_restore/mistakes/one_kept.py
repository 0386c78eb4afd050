# expects: check two-kept
# says: Only the newest checkpoint stays. If its numbers have gone bad, there is none to go back to.
"""Keeps one checkpoint."""

import orbax.checkpoint as ocp


def save_and_restore(folder):
    manager = ocp.CheckpointManager(folder, options=ocp.CheckpointManagerOptions(max_to_keep=1))

    def save(step, state):
        manager.save(step, args=ocp.args.StandardSave(state))
        manager.wait_until_finished()

    def restore(like):
        step = manager.latest_step()
        if step is None:
            return None
        return step, manager.restore(step, args=ocp.args.StandardRestore(like))

    return save, restore
