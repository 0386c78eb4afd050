"""What busiest asks for."""

import tempfile
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom

JIT = False

NAMES = ("while.1", "dot.2", "fusion.3", "copy.4", "sort.5")
WHILE, DOT, FUSION, COPY, SORT = range(len(NAMES))
DEVICE, HOST = "/device:GPU:0", "/host:CPU"


def plane_of(name, lines):
    """Write a plane as a text proto, of lines of spans (name's number, start, end)."""
    names = "".join(
        f'event_metadata {{ key: {key} value {{ id: {key} name: "{text}" }} }}\n'
        for key, text in enumerate(NAMES, 1)
    )
    events = "".join(
        "lines { " + "".join(
            f"events {{ metadata_id: {key + 1} offset_ps: {1000 * start} "
            f"duration_ps: {1000 * (end - start)} }} "
            for key, start, end in spans
        ) + "}\n"
        for spans in lines
    )  # fmt: skip
    return f'planes {{ name: "{name}"\n{events}{names}}}\n'


def profile_of(lines, host=()):
    """Return a profile with these spans, as JAX reads one from a file."""
    profile = jax.profiler.ProfileData
    text = plane_of(DEVICE, lines) + plane_of(HOST, host)
    return profile.from_serialized_xspace(profile.text_proto_to_serialized_xspace(text))


def subject(module):
    """Build the profile, and return numbers for the names."""

    def call(lines, n, host=()):
        answer = module.busiest(profile_of(lines, host), DEVICE, n)
        numbers = [NAMES.index(name) for name, _ in answer]
        times = [time for _, time in answer]
        return np.asarray(numbers, np.int32), np.asarray(times, np.float32)

    call.busiest = module.busiest
    return call


LOOP = [[(WHILE, 0, 90), (DOT, 10, 40), (DOT, 50, 80)]]
ROW = [[(DOT, 0, 30), (FUSION, 30, 50), (COPY, 50, 55)]]

EXAMPLES = [
    Call(ROW, 2).gives(([DOT, FUSION], [30.0, 20.0])),
    Call(LOOP, 2).gives(([DOT, WHILE], [60.0, 30.0])).when("a loop and its body"),
]


def hidden(rng):
    """Spans nested in all ways, and profiles of several lines and planes."""
    deep = [[(WHILE, 0, 100), (FUSION, 10, 90), (DOT, 20, 50), (COPY, 60, 80)]]
    yield Call(deep, 4).when("a span inside a span inside a span")
    yield Call([[(DOT, 0, 20), (WHILE, 0, 50), (DOT, 20, 30)]], 3).when("spans that begin together")
    shuffled = [[(DOT, 50, 80), (COPY, 95, 99), (WHILE, 0, 90), (DOT, 10, 40)]]
    yield Call(shuffled, 3).when("spans that are not in order")
    beside = [[(WHILE, 0, 90)], [(DOT, 10, 40), (FUSION, 40, 60)]]
    yield Call(beside, 3).when("two lines at the same time")
    yield Call([[(SORT, 0, 10), (COPY, 10, 20), (DOT, 20, 40)]], 3).when("equal times")
    yield Call([[(SORT, 0, 10), (COPY, 10, 20), (FUSION, 20, 30)]], 2).when("equal times")
    yield Call(ROW, 9).when("fewer names than n")
    yield Call(ROW, 2, [[(SORT, 0, 500)]]).when("another plane")
    yield Call([[], [(DOT, 5, 9)], []], 1).when("lines without events")
    twice = [[(FUSION, 0, 30), (DOT, 5, 25), (FUSION, 40, 70), (DOT, 45, 50)]]
    yield Call(twice, 2).when("a loop and its body")


def wrong_for_a_real_profile(call):
    """Report what is wrong with the answer for a profile that JAX records here."""

    @jax.jit
    def rounds(x):
        return jax.lax.fori_loop(0, 20, lambda i, x: jnp.sin(x @ x), x)

    x = jnp.ones((50, 50))
    jax.block_until_ready(rounds(x))
    with tempfile.TemporaryDirectory() as folder:
        with jax.profiler.trace(folder):
            jax.block_until_ready(rounds(x))
        (path,) = Path(folder).glob("**/*.xplane.pb")
        profile = jax.profiler.ProfileData.from_file(str(path))
        answer = call.busiest(profile, HOST, 5)
        lines = profile.find_plane_with_name(HOST).lines
        seen = {event.name for line in lines for event in line.events}
    if len(answer) != 5:
        return f"expected 5 pairs, got {len(answer)}"
    unknown = [name for name, _ in answer if name not in seen]
    return f"no event has the name {unknown[0]}" if unknown else None


PROPERTIES = [
    Custom("real-profile", "It reads a profile that JAX recorded.", wrong_for_a_real_profile),
]

RIGHT_TOO = {
    "open_spans.append(span)": (
        "A span that is open may be counted before or after it is added to the list."
    ),
}
