"""A checkpoint that keeps everything."""

import orbax.checkpoint as ocp


def save_and_restore(folder):
    """Return save(step, state), and restore(like): the newest step and state, or None."""
    options = ocp.CheckpointManagerOptions(max_to_keep=2)
    manager = ocp.CheckpointManager(folder, options=options)

    def save(step, state):
        manager.save(step, args=ocp.args.StandardSave(state))
        manager.wait_until_finished()

    def restore(like):
        step = manager.latest_step()
        if step is None:
            return None
        # With a tree to follow: containers, keys and dtypes come back as they were.
        return step, manager.restore(step, args=ocp.args.StandardRestore(like))

    return save, restore
