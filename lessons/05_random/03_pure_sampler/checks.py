"""What pure-sampler asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, KeysOnce, NoLeak


def subject(module):
    """Draw three times in a row; return what must be so whichever numbers come."""

    def in_a_row(state):
        for _ in range(3):
            state, x = in_two(module.draw(state))
        return {"axes of the state": jnp.ndim(state), "axes of x": jnp.ndim(x)}

    in_a_row.draw = module.draw
    return in_a_row


def in_two(answer):
    """Return state and number, or say that the answer is no pair of them."""
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise TypeError("draw returns two things, (state, x)")
    return answer


EXAMPLES = [
    Call(jax.random.key(0)).gives({"axes of the state": 0, "axes of x": 0}),
    Call(jax.random.key(1)).gives({"axes of the state": 0, "axes of x": 0}),
]


def goes_on(in_a_row):
    """Say what is wrong with three draws in a row, of one compiled program."""
    traces = []

    def counted(state):
        traces.append(state)
        return in_a_row.draw(state)

    compiled = jax.jit(counted)
    state, numbers = jax.random.key(7), []
    for _ in range(3):
        state, x = in_two(compiled(state))
        numbers.append(float(x))
    if len(set(numbers)) < 3:
        return f"three draws in a row gave {numbers[0]:.3f}, {numbers[1]:.3f}, {numbers[2]:.3f}"
    if len(traces) > 1:
        return f"three draws in a row traced it {len(traces)} times: the state changes its type"
    return None


def follows_the_state(in_a_row):
    """Say whether equal states give equal numbers, and other states other ones."""
    compiled = jax.jit(lambda state: in_a_row.draw(state))
    one, again, other = (float(compiled(jax.random.key(seed))[1]) for seed in (1, 1, 2))
    if one != again:
        return "two calls with the same state gave different numbers"
    return "two different states gave the same number" if one == other else None


def is_uniform(in_a_row):
    """Say what is wrong with many numbers, drawn side by side."""
    _, xs = jax.jit(jax.vmap(in_a_row.draw))(jax.random.split(jax.random.key(5), 4000))
    xs = np.asarray(xs)
    if xs.min() < 0 or xs.max() > 1 or abs(xs.mean() - 0.5) > 0.03 or abs(xs.std() - 0.289) > 0.02:
        return (
            f"4000 draws lie between {xs.min():.2f} and {xs.max():.2f}, with mean {xs.mean():.2f}"
        )
    return None


PROPERTIES = [
    NoLeak(
        [Call(jax.random.key(0))],
        under=("jit", "vmap"),
        name="leaks-elsewhere",
        says="No tracer is left behind under jax.jit and jax.vmap.",
    ),
    KeysOnce([Call(jax.random.key(3))], says="No key is used twice in three draws in a row."),
    Custom("goes-on", "Three draws in a row differ, and one program draws them.", goes_on),
    Custom("follows-the-state", "The state decides about the number.", follows_the_state),
    Custom("uniform", "The numbers lie evenly between 0 and 1.", is_uniform),
]
