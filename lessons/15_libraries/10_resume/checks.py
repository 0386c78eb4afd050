"""What resume asks for."""

import tempfile
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax

from jaxtutor.core.vocabulary import Call, Custom

JIT = False

TX = optax.adam(0.1)
X = jnp.asarray(np.linspace(-1, 1, 24, dtype=np.float32).reshape(8, 3))


@jax.jit
def one_step(state):
    """Do a step of training with noise, and return the state and the loss."""
    key, now = jax.random.split(state["key"])
    noise = jax.random.normal(now, (8,))

    def loss_of(w):
        return jnp.mean((jnp.tanh(X @ w) - 0.1 * noise) ** 2)

    loss, grads = jax.value_and_grad(loss_of)(state["w"])
    updates, opt = TX.update(grads, state["opt"])
    return {"w": state["w"] + updates, "opt": opt, "key": key}, loss


def start(seed=0):
    """Return the state before the first step."""
    w = jnp.array([1.0, -2.0, 0.5])
    return {"w": w, "opt": TX.init(w), "key": jax.random.key(seed)}


class Run:
    """Steps that are interrupted, and a record of how many were done."""

    def __init__(self, interruptions):
        self.interruptions = list(interruptions)
        self.done = 0
        self.calls = []

    def __call__(self, state):
        number = int(jnp.asarray(optax.tree_utils.tree_get(state, "count")))
        if number in self.interruptions:
            self.interruptions.remove(number)
            raise KeyboardInterrupt
        self.calls.append(number)
        return one_step(state)


def finish(function, folder, steps, every, interruptions):
    """Call the function until it is done; return its answer and the steps that were done."""
    step = Run(interruptions)
    while True:
        try:
            return function(folder, start(), step, steps, every), step.calls
        except KeyboardInterrupt:
            continue


def subject(module):
    """Run with interruptions, and return the losses."""

    def run(steps, every, interruptions):
        with tempfile.TemporaryDirectory() as home:
            return finish(module.resume, Path(home), steps, every, interruptions)[0]

    run.function = module.resume
    return run


EXAMPLES = [
    Call(6, 3, []),
    Call(6, 3, [4]).when("an interruption"),
]


def hidden(rng):
    """Yield other interruptions."""
    yield Call(7, 2, [5, 6]).when("two interruptions")
    yield Call(6, 3, [3]).when("an interruption just after a checkpoint")
    yield Call(5, 3, [1]).when("an interruption before the first checkpoint")
    yield Call(4, 1, [1, 3]).when("a checkpoint after every step")


def bit_for_bit(run):
    """Compare the losses of an interrupted run with those of an unbroken one."""
    state, wanted = start(), []
    for _ in range(8):
        state, loss = one_step(state)
        wanted.append(np.float32(loss))
    found = np.asarray(run(8, 3, [4, 7]))
    if found.shape == (8,) and np.array_equal(found, wanted):
        return None
    return "the losses are near those of an unbroken run, but not the same bits"


def goes_on(run):
    """Return which steps are done again."""
    with tempfile.TemporaryDirectory() as home:
        _, calls = finish(run.function, Path(home), 8, 2, [5, 7])
    if calls == [0, 1, 2, 3, 4, 4, 5, 6, 6, 7]:
        return None
    if len(calls) > 10:
        return f"{len(calls)} steps were done; from the checkpoints at 4 and 6, it takes 10"
    return f"the steps that were done are {calls}"


def a_finished_run(run):
    """Return what happens if a run is called again that was finished."""
    with tempfile.TemporaryDirectory() as home:
        first, _ = finish(run.function, Path(home), 6, 3, [])
        again, calls = finish(run.function, Path(home), 6, 3, [])
    if calls:
        return f"a finished run did {len(calls)} steps again"
    return None if np.array_equal(first, again) else "a finished run returns other losses"


PROPERTIES = [
    Custom("bits", "The losses are those of an unbroken run, bit for bit.", bit_for_bit),
    Custom("goes-on", "No step from before the newest checkpoint is done again.", goes_on),
    Custom("finished", "A finished run returns its losses without a step.", a_finished_run),
]

RIGHT_TOO = {
    "manager = ocp.CheckpointManager(folder)": (
        "The newest checkpoint is enough, and the page does not ask how many are kept."
    ),
    "options = ocp.CheckpointManagerOptions()": (
        "The newest checkpoint is enough, and the page does not ask how many are kept."
    ),
    "options = ocp.CheckpointManagerOptions(max_to_keep=3)": (
        "The newest checkpoint is enough, and the page does not ask how many are kept."
    ),
    "options = ocp.CheckpointManagerOptions(max_to_keep=1)": (
        "The newest checkpoint is enough, and the page does not ask how many are kept."
    ),
    "state, losses, done = start, np.ones(steps, np.float32), manager.latest_step() or 0": (
        "Each entry has become a loss before the array is returned."
    ),
    "state, losses = saved[\"state\"], saved['losses']": (
        "A leaf that is an array of NumPy comes back as one."
    ),
}
