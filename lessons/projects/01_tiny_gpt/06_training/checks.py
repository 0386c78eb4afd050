"""What a training run is."""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, KeysOnce, SameSize

STATIC = ("steps",)
CHARACTERS = 39
STEPS = 25
LEFT = 2.0
"""The largest mean loss of the last ten of 25 steps; the solution reaches less with any key."""


def subject(module):
    """Train, and return what holds for every key."""

    def facts(key, ids, steps):
        params, losses = in_two(module.train(key, ids, steps))
        return {"losses": jnp.shape(losses)[0], "tables": len(jax.tree.leaves(params))}

    @cache
    def run(seed):
        params, losses = in_two(module.train(jax.random.key(seed), PAGE, STEPS))
        return params, np.asarray(losses)

    facts.module, facts.run = module, run
    facts.observed = cache(lambda: observe(module))
    return facts


def in_two(answer):
    """Return parameters and losses; raise TypeError where the answer is not a pair."""
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise TypeError("train returns two things, (params, losses)")
    return answer


def make_text():
    """Make a text of words that come again and again, so that little training shows."""
    rng = np.random.default_rng(0)
    words = [rng.integers(0, CHARACTERS, size) for size in (3, 4, 5, 6, 7)]
    return np.concatenate([words[i] for i in rng.integers(0, 5, 200)]).astype(np.int32)


PAGE = jnp.asarray(make_text())

EXAMPLES = [
    Call(jax.random.key(0), PAGE, 3).gives({"losses": 3, "tables": 7}),
    Call(jax.random.key(1), PAGE, 3).gives({"losses": 3, "tables": 7}),
]


def finite(facts):
    """Return the first step whose loss is not finite."""
    _, losses = facts.run(0)
    bad = np.flatnonzero(~np.isfinite(losses))
    if not bad.size:
        return None
    return f"the training diverges: the loss is not finite at step {bad[0] + 1}"


def first_loss(facts):
    """Return how far the first loss is from that of a model that knows nothing."""
    _, losses = facts.run(0)
    known = np.log(CHARACTERS)
    if abs(losses[0] - known) < 0.25:
        return None
    return f"the first loss is {losses[0]:.2f}; before any step it is near {known:.2f}"


def learns(facts):
    """Return what is left of the loss."""
    left = np.mean([facts.run(seed)[1][-10:].mean() for seed in (0, 1)])
    first = facts.run(0)[1][0]
    if left > first:
        return (
            f"the training diverges: in {STEPS} steps the loss rises from {first:.2f} to {left:.2f}"
        )
    return None if left < LEFT else f"after {STEPS} steps the loss is {left:.2f}, not below {LEFT}"


WATCHED = 800
"""Steps whose windows are looked at: one of 968 starts is missed in two of a million runs."""


def observe(module):
    """Return what train passes on: the ends of the starts of each step, and the sum of the counts.

    Some functions of the file are replaced, so that it shows and that nothing has to be trained.
    The inputs have one axis here, and the targets two.
    """
    calls, swapped = set(), []

    def windows(ids, starts, length):
        calls.add((starts.shape, length))
        return starts, starts[:, None]

    def mean_loss(params, starts, targets):
        swapped.append(starts.ndim == 2)
        return starts.min() + 4096.0 * starts.max()  # both are below 4096, so both can be read

    def adam_update(grads, state, params, count):
        return jax.tree.map(lambda p: 0 * p + state, params), state + count

    functions = {"windows": windows, "mean_loss": mean_loss, "adam_update": adam_update}
    functions["adam_init"] = lambda params: jnp.float32(0)
    own = {name: getattr(module, name) for name in functions}
    train = getattr(module.train, "__wrapped__", module.train)
    try:
        for name, function in functions.items():
            setattr(module, name, function)
        run = jax.jit(lambda key: train(key, PAGE, WATCHED))
        params, ends = in_two(run(jax.random.key(5)))
    finally:
        for name, function in own.items():
            setattr(module, name, function)
    return calls, np.asarray(ends), float(params["head"][0, 0]), any(swapped)


def batches(facts):
    """Return what is wrong with the windows of the steps."""
    module = facts.module
    calls, ends, _, is_swapped = facts.observed()
    if not calls:
        return "train does not call windows"
    if calls != {((module.ROWS,), module.CONTEXT)}:
        return f"windows gets starts and a length of {sorted(calls)}"
    if is_swapped:
        return "mean_loss gets the targets as inputs"
    if len(set(ends.tolist())) == 1:
        return "all steps take the same windows"
    high, low = np.divmod(ends, 4096)
    last = len(PAGE) - module.CONTEXT - 1
    if low.min() < 0 or high.max() > last:
        return "a window or its targets go beyond the text"
    if low.min() > 0.05 * last or high.max() < 0.95 * last:
        return "the windows do not come from the whole text"
    if low.min() > 0:
        return "no window begins with the first character"
    if len(set(ends.tolist())) < 0.75 * WATCHED:
        return "several steps take the same windows"
    return None


def carried(facts):
    """Return what is wrong with the state and the numbers that Adam gets."""
    got = facts.observed()[2]
    if got == sum(range(1, WATCHED)):
        return None
    if got == 0:
        return "what Adam remembers is lost between two steps"
    if not got.is_integer():
        return "the parameters returned are not those of the last adam_update"
    return "the numbers of the steps are not 1, 2, 3 and so on"


PROPERTIES = [
    SameSize(
        [Call(jax.random.key(0), PAGE, 3), Call(jax.random.key(0), PAGE, 30)],
        says="Thirty steps take no more equations than three.",
    ),
    KeysOnce([Call(jax.random.key(3), PAGE, 3)]),
    Custom("finite", "The loss of every step is finite.", finite),
    Custom("first-loss", "The first loss is that of a model that knows nothing.", first_loss),
    Custom("batches", "Each step draws windows of its own, from the whole text.", batches),
    Custom("carried", "Each step goes on from what the step before left.", carried),
    Custom("learns", f"After {STEPS} steps the loss is below {LEFT}.", learns),
]
