# expects: check values
# says: `save` of Orbax goes on in the background. Yours returns before the checkpoint is complete, and
#     whatever happens then ends it halfway.
"""Does not wait for the files."""

from pathlib import Path

import orbax.checkpoint as ocp


def save_and_restore(folder):
    options = ocp.CheckpointManagerOptions(max_to_keep=2)
    manager = ocp.CheckpointManager(Path(folder).absolute(), options=options)

    def save(step, state):
        manager.save(step, args=ocp.args.StandardSave(state))

    def restore(like):
        step = manager.latest_step()
        if step is None:
            return None
        return step, manager.restore(step, args=ocp.args.StandardRestore(like))

    return save, restore
