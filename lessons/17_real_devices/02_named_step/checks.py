"""What named-step asks for."""

import re
import tempfile
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Traces

SCOPES = ("network", "loss", "update")
SCOPE = re.compile(rf"(?:^|[/(])({'|'.join(SCOPES)})(?=[/)]|$)")

ZEROS = {"in": np.zeros((2, 3), np.float32), "out": np.ones(3, np.float32)}
X = np.ones((4, 2), np.float32)


EXAMPLES = [
    Call(ZEROS, X, np.zeros(4, np.float32)).gives((ZEROS, 0.0)),
    Call(ZEROS, X, np.full(4, 2.0, np.float32)).gives(
        ({"in": np.full((2, 3), 0.4, np.float32), "out": np.ones(3, np.float32)}, 4.0)
    ),
]


def random_call(rng, rows=5):
    """Return a call with numbers of no pattern."""
    w = {
        "in": rng.normal(size=(2, 3)).astype(np.float32),
        "out": rng.normal(size=3).astype(np.float32),
    }
    x = rng.normal(size=(rows, 2)).astype(np.float32)
    return Call(w, x, rng.normal(size=rows).astype(np.float32))


def hidden(rng):
    """Weights of no pattern."""
    yield random_call(rng)
    yield random_call(rng)


def compiled(step):
    """Compile the step; return the program and its operations' paths of names.

    A program that was compiled before with other names is not taken from a cache.
    """
    call = random_call(np.random.default_rng(0))
    args = jax.tree.map(jnp.asarray, call.args)
    setting = "jax_compilation_cache_include_metadata_in_key"
    before = getattr(jax.config, setting)
    jax.config.update(setting, True)
    try:
        program = jax.jit(lambda *args: step(*args)).lower(*args).compile()
    finally:
        jax.config.update(setting, before)
    return program, args


def paths_in(text):
    """Return the paths of names in a compiled program, without that of the whole."""
    found = re.findall(r'op_name="([^"]+)"', text)
    paths = {path for names in found for path in names.split(";")}
    return sorted(path.partition("/")[2] for path in paths if path.startswith("jit("))


def without_name(step):
    """Return an operation that has none of the names."""
    program, _ = compiled(step)
    for path in paths_in(program.as_text()):
        is_call = path.endswith("))") and "jit(" in path.rpartition("/")[2]
        if not SCOPE.search(path) and not is_call:
            return f"the operation {path} has none of the names {', '.join(SCOPES)}"
    return None


def outside_of_network(step):
    """Return a matrix product or tanh that is not named network, or a half without names."""
    program, _ = compiled(step)
    paths = paths_in(program.as_text())
    for path in paths:
        if path.endswith(("/dot_general", "/tanh")) and "network" not in SCOPE.findall(path):
            return f"the operation {path} belongs to the network"
    if not any("transpose" in path and "network" in SCOPE.findall(path) for path in paths):
        return "no operation of the backward pass is named network"
    return None


def in_two_parts(step):
    """Return an operation that has two names, or a part that holds what it should not."""
    program, _ = compiled(step)
    paths = paths_in(program.as_text())
    for path in paths:
        names = set(SCOPE.findall(path))
        if len(names) > 1:
            return f"the operation {path} has two of the names"
        if "update" in names and "jvp" in path:
            return f"the operation {path} belongs to the gradient"
        if not names & {"network"} and path.endswith(("/dot_general", "/tanh")):
            return f"the operation {path} belongs to the network"
    for scope in ("loss", "update"):
        if not any(scope in SCOPE.findall(path) for path in paths):
            return f"no operation is named {scope}"
    if not any(re.search(r"loss\)*/(?:.*/)?sub$", path) for path in paths):
        return "the difference of prediction and y belongs to the loss"
    if any(re.search(r"network\)*/(?:reduce_sum|square|integer_pow)$", path) for path in paths):
        return "a part of the loss is named network"
    return None


def scopes_of(text):
    """Map each instruction of a compiled program to the names of all that it was fused from."""
    scopes, calls, home = {}, {}, ""
    for line in text.splitlines():
        if opening := re.match(r"(?:ENTRY )?%?([\w.-]+) \(.*\{$", line):
            home = opening[1]
        if instruction := re.match(r"\s+(?:ROOT )?%?([\w.-]+) = ", line):
            names = set(SCOPE.findall(" ".join(re.findall(r'op_name="([^"]+)"', line))))
            scopes[instruction[1]] = names
            scopes.setdefault(home, set()).update(names)
            calls[instruction[1]] = re.findall(r"(?:calls|to_apply|body)=%?([\w.-]+)", line)
    return {
        name: scopes[name].union(*(scopes[it] for it in calls.get(name, ()))) for name in scopes
    }


def missing_in_profile(step):
    """Return which of the names no operation in a profile has."""
    program, args = compiled(step)
    scopes = scopes_of(program.as_text())
    jax.block_until_ready(program(*args))
    with tempfile.TemporaryDirectory() as folder:
        with jax.profiler.trace(folder):
            jax.block_until_ready(program(*args))
        (path,) = Path(folder).glob("**/*.xplane.pb")
        profile = jax.profiler.ProfileData.from_file(str(path))
        events = (it for plane in profile.planes for line in plane.lines for it in line.events)
        ran = {event.name for event in events}
    seen = set().union(*(scopes.get(name, set()) for name in ran))
    missing = [scope for scope in SCOPES if scope not in seen]
    return f"no operation in the profile is named {' or '.join(missing)}" if missing else None


PROPERTIES = [
    Custom("named", "Each operation of the compiled step has a name.", without_name),
    Custom("network", "The network has its name, forwards and backwards.", outside_of_network),
    Custom("parts", "Network, loss and update are separate.", in_two_parts),
    Custom("profile", "All three names appear in a profile.", missing_in_profile),
    Traces(
        lambda: [random_call(np.random.default_rng(seed)) for seed in (1, 2, 3)],
        says="It is traced once for three batches of one shape.",
    ),
]
