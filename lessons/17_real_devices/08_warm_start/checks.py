"""What warm-start asks for."""

import contextlib
import os
import tempfile
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.compilation_cache import compilation_cache

from jaxtutor.core.vocabulary import Call, Custom

JIT = False

SETTINGS = {
    "jax_compilation_cache_dir": None,
    "jax_persistent_cache_min_compile_time_secs": 1.0,
    "jax_persistent_cache_min_entry_size_bytes": 0,
    "jax_enable_compilation_cache": True,
}
"""What a new process begins with."""

EVENTS = []
jax.monitoring.register_event_listener(lambda event, **_: EVENTS.append(event.rpartition("/")[2]))


@contextlib.contextmanager
def new_process():
    """Forget the programs in memory and the settings, as a new process would not have them."""
    kept = {name: getattr(jax.config, name) for name in SETTINGS}
    environment = os.environ.get("JAX_COMPILATION_CACHE_DIR")
    try:
        for name, value in SETTINGS.items():
            jax.config.update(name, value)
        jax.clear_caches()
        compilation_cache.reset_cache()
        EVENTS.clear()
        yield
    finally:
        # From here on this process keeps nothing: the folder is gone.
        for name, value in (kept | {"jax_compilation_cache_dir": None}).items():
            jax.config.update(name, value)
        compilation_cache.reset_cache()
        os.environ.pop("JAX_COMPILATION_CACHE_DIR", None)
        if environment is not None:
            os.environ["JAX_COMPILATION_CACHE_DIR"] = environment


def shapes(args):
    """Return a ShapeDtypeStruct for each array."""
    return jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype), args)


def running_sum(x):
    """Return the sums of all beginnings of x."""
    return jnp.cumsum(x)


def scaled(tree, x):
    """Take a tree and an array."""
    return {"out": tree["scale"] * x}


def subject(module):
    """Prepare programs for the arguments, and call each with its own."""

    def call(f, *calls):
        with tempfile.TemporaryDirectory() as folder, new_process():
            specs = [shapes(args) for args in calls]
            programs = module.warm_start(f"{folder}/programs", f, specs)
            return [program(*args) for program, args in zip(programs, calls, strict=True)]

    call.warm_start = module.warm_start
    return call


ONES = np.ones(3, np.float32)

EXAMPLES = [
    Call(running_sum, (ONES,)).gives([np.array([1.0, 2.0, 3.0], np.float32)]),
    Call(running_sum).gives([]).when("no entry in specs"),
]


def hidden(rng):
    """Several shapes and dtypes, and a tree."""
    yield Call(running_sum, (ONES,), (np.arange(4, dtype=np.int32),)).when("two entries in specs")
    yield Call(scaled, ({"scale": 2 * ONES}, ONES)).when("a tree among the arguments")


def probe(x):
    """Compute something that no other test compiles."""
    return jnp.sin(x) * 3.0 + jnp.cumsum(x)


PROBES = [(jax.ShapeDtypeStruct((n,), jnp.float32),) for n in (3, 5)]


def not_kept(call):
    """Return how many of two programs the folder lacks after the first start, and why."""
    with tempfile.TemporaryDirectory() as folder:
        with new_process():
            call.warm_start(f"{folder}/programs", probe, PROBES)
            place = jax.config.jax_compilation_cache_dir
            least = jax.config.jax_persistent_cache_min_compile_time_secs
        kept = [path.name for path in Path(folder).glob("**/*probe*") if "atime" not in path.name]
    if len(kept) == len(PROBES):
        return None
    lacks = f"the folder holds {len(kept)} of {len(PROBES)} programs"
    if place is None:
        return f"{lacks}: after the call, `jax_compilation_cache_dir` is None"
    if least > 0:
        return f"{lacks}: after the call, the limit is {least:.1f} s"
    return f"{lacks}, although folder and limit are set after the call"


def compiles_again(call):
    """Return what was compiled in a second process."""
    with tempfile.TemporaryDirectory() as folder:
        place = f"{folder}/programs"
        for _ in range(2):
            with new_process():
                call.warm_start(place, probe, PROBES)
                seen = list(EVENTS)
    asked, hits = seen.count("compile_requests_use_cache"), seen.count("cache_hits")
    if asked > hits or hits < len(PROBES):
        return f"of {max(asked, len(PROBES))} programs, {hits} were loaded in the second process"
    return None


def runs(call):
    """Report that f was run."""
    ran = []

    def loud(x):
        jax.debug.callback(lambda: ran.append(1))
        return x

    with tempfile.TemporaryDirectory() as folder, new_process():
        call.warm_start(folder, loud, PROBES)
        jax.effects_barrier()
    return f"f was run {len(ran)} times" if ran else None


def compiles_late(call):
    """Report programs that still trace when they are called."""
    traces = []

    def traced(x):
        traces.append(x.shape)
        return x + 1

    with tempfile.TemporaryDirectory() as folder, new_process():
        programs = call.warm_start(folder, traced, PROBES)
        before = len(traces)
        programs[0](jnp.ones(3))
    if before != 2 or len(traces) != 2:
        return f"f was traced {before} times by warm_start, and {len(traces) - before} afterwards"
    return None


PROPERTIES = [
    Custom("ahead", "The programs are compiled when it returns.", compiles_late),
    Custom("kept", "The folder holds a program for each entry.", not_kept),
    Custom("second-start", "A second process compiles nothing.", compiles_again),
    Custom("not-run", "f is not run.", runs),
]

RIGHT_TOO = {
    'jax.config.update("jax_persistent_cache_min_entry_size_bytes", -2)': (
        "Every entry is larger than any negative number of bytes."
    ),
    'jax.config.update("jax_persistent_cache_min_entry_size_bytes", -0)': (
        "In a folder on a disk, every entry is larger than 0 bytes."
    ),
    'jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)': (
        "The three settings may be made in any order, before anything is compiled."
    ),
    'jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)': (
        "The three settings may be made in any order, before anything is compiled."
    ),
}
