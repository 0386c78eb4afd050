"""Groups causes by what they are about, for the index of `explain`.

A cause belongs to the folder of its rule; those of a library, to the library.
"""

from __future__ import annotations

from collections.abc import Iterable

from jaxtutor.core.diagnosis.engine.index import INDEX

GROUPS = {
    "tracing": "Traced values and compiled functions",
    "shapes": "Shapes, axes and indices",
    "loops": "Loops and branches",
    "gradients": "Gradients",
    "randomness": "Random keys",
    "silent": "Results that are wrong without an error",
    "training": "Training",
    "python": "Calls, arguments and names",
    "devices": "Devices, callbacks and printing",
    "extending": "Rules and types of your own",
    "flax": "Flax",
    "optax": "Optax",
    "orbax": "Orbax",
    "equinox": "Equinox",
    "diffrax": "Diffrax and Lineax",
    "numpyro": "NumPyro",
    "grain": "Grain",
    "haiku": "Haiku",
    "libraries": "Several libraries",
}
"""The topics in the order of the index, and their headings."""
_JOINED = {
    "observed": "silent",
    "editing": "tracing",
    "jax_api": "python",
    "lineax": "diffrax",
    "sites": "numpyro",
}
"""Packages of rules that belong to the topic of another."""


def group_causes(slugs: Iterable[str]) -> dict[str, list[str]]:
    """Return the causes below the heading of their topic, in the order of GROUPS."""
    topics: dict[str, str] = {}
    for entry in INDEX:
        topics.setdefault(entry.slug, _topic(entry.topic))
    grouped: dict[str, list[str]] = {topic: [] for topic in GROUPS}
    for slug in slugs:
        grouped[topics.get(slug, "libraries")].append(slug)
    return {GROUPS[topic]: found for topic, found in grouped.items() if found}


def _topic(module: str) -> str:
    """Return the topic of a module of rules, such as `causes.libraries.flax.lifted`."""
    packages = module.removeprefix("causes.").split(".")
    if packages[0] == "libraries":
        packages = [*packages[1:], "libraries"]
    topic = _JOINED.get(packages[0], packages[0])
    return topic if topic in GROUPS else "libraries"
