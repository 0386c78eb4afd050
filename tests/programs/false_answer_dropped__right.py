# expects: nothing
# needs: orbax
import queue
import tempfile
import threading

import jax.numpy as jnp
import orbax.checkpoint as ocp


class Progress:
    def __init__(self, every):
        self.every = every

    def report(self, step):
        if step % self.every:
            return False
        print("step", step)
        return True


stopping, lock, waiting = threading.Event(), threading.Lock(), queue.Queue()
lock.acquire()
progress, seen = Progress(100), set()
options = ocp.CheckpointManagerOptions(save_interval_steps=4)
with ocp.CheckpointManager(tempfile.mkdtemp(), options=options) as manager:
    for step in range(1, 7):
        stopping.wait(0.001)
        lock.acquire(blocking=False)
        waiting.put(step)
        seen.add(step)
        progress.report(step)
        manager.save(step, args=ocp.args.StandardSave({"w": jnp.full(2, step)}))
        manager.is_saving_in_progress()
    manager.wait_until_finished()
    print(manager.all_steps(), len(seen), waiting.qsize())
