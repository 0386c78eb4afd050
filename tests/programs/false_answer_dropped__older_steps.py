# expects: false-answer-dropped at 23
# needs: orbax
import tempfile

import jax
import jax.numpy as jnp
import orbax.checkpoint as ocp

folder = tempfile.mkdtemp()


@jax.jit
def descend(w, rate):
    return w - rate * 2 * (w - 3.0)


def train(rate, steps):
    w = jnp.zeros(2)
    with ocp.CheckpointManager(folder) as manager:
        for step in range(1, steps + 1):
            w = descend(w, rate)
            if step % 5 == 0:
                manager.save(step, args=ocp.args.StandardSave({"w": w}))
    return w


train(0.001, 20)
print("trained to", train(0.2, 10))
with ocp.CheckpointManager(folder) as manager:
    print("restored", manager.restore(manager.latest_step(), args=ocp.args.StandardRestore()))
