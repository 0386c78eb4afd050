"""Writes small programs in which one random key goes through two transformations, or stays outside.

Each program draws from its key twice: once outside and once inside, twice inside, or in each round
of a loop. Its right twin draws from two keys.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

LAYERS = {
    "eager": "def {name}(key, x):\n    return {inner}(key, x)\n",
    "jit": "@jax.jit\ndef {name}(key, x):\n    return {inner}(key, x)\n",
    "scan": (
        "def {name}(key, x):\n"
        "    def body(x, k):\n"
        "        return {inner}(k, x), None\n\n"
        "    return jax.lax.scan(body, x, key[None])[0]\n"
    ),
    "carry": (
        "def {name}(key, x):\n"
        "    def body(carry, _):\n"
        "        k, x = carry\n"
        "        return (k, {inner}(k, x)), None\n\n"
        "    return jax.lax.scan(body, (key, x), None, length=1)[0][1]\n"
    ),
    "while": (
        "def {name}(key, x):\n"
        "    def body(carry):\n"
        "        k, x, n = carry\n"
        "        k, sub = jax.random.split(k)\n"
        "        return k, {inner}(sub, x), n + 1\n\n"
        "    return jax.lax.while_loop(lambda c: c[2] < 1, body, (key, x, 0))[1]\n"
    ),
    "fori": (
        "def {name}(key, x):\n    return jax.lax.fori_loop(0, 1, lambda n, x: {inner}(key, x), x)\n"
    ),
    "cond": (
        "def {name}(key, x):\n"
        "    return jax.lax.cond(x[0] < 9, {inner}, lambda key, x: x, key, x)\n"
    ),
    "switch": (
        "def {name}(key, x):\n"
        "    n = (x[0] < 9).astype(int)\n"
        "    return jax.lax.switch(n, [lambda key, x: x, {inner}], key, x)\n"
    ),
    "vmap": "def {name}(key, x):\n    return jax.vmap({inner})(key[None], x[None])[0]\n",
    "map": (
        "def {name}(key, x):\n"
        "    return jax.lax.map(lambda given: {inner}(*given), (key[None], x[None]))[0]\n"
    ),
    "remat": "def {name}(key, x):\n    return jax.checkpoint({inner})(key, x)\n",
    "custom_vjp": (
        "@jax.custom_vjp\n"
        "def {name}(key, x):\n"
        "    return {inner}(key, x)\n\n\n"
        "{name}.defvjp(lambda key, x: ({inner}(key, x), None), lambda _, g: (None, g))\n"
    ),
    "custom_jvp": (
        "def {name}(key, x):\n"
        "    @jax.custom_jvp\n"
        "    def ruled(x):\n"
        "        return {inner}(key, x)\n\n"
        "    ruled.defjvp(lambda x, t: (ruled(*x), t[0]))\n"
        "    return ruled(x)\n"
    ),
    "grad": (
        "def {name}(key, x):\n    return jax.grad(lambda x: ({inner}(key, x) ** 2).sum())(x)\n"
    ),
    "vjp": (
        "def {name}(key, x):\n"
        "    out, pull = jax.vjp(lambda x: {inner}(key, x), x)\n"
        "    return pull(out)[0]\n"
    ),
    "jvp": ("def {name}(key, x):\n    return jax.jvp(lambda x: {inner}(key, x), (x,), (x,))[0]\n"),
    "shard_map": (
        "def {name}(key, x):\n"
        "    spec = jax.sharding.PartitionSpec()\n"
        "    mesh = jax.make_mesh((1,), ('d',))\n"
        "    mapped = jax.shard_map({inner}, mesh=mesh, in_specs=spec, out_specs=spec)\n"
        "    return mapped(key, x)\n"
    ),
    "pmap": "def {name}(key, x):\n    return jax.pmap({inner})(key[None], x[None])[0]\n",
    "method": (
        "class Holder{name}:\n"
        "    def __init__(self, scale):\n"
        "        self.scale = scale\n\n"
        "    def run(self, key, x):\n"
        "        return self.scale * {inner}(key, x)\n\n\n"
        "{name} = Holder{name}(1.0).run\n"
    ),
    "dict": (
        "def read{name}(state, x):\n"
        "    return {inner}(state['key'], x)\n\n\n"
        "def {name}(key, x):\n"
        "    state = {{'key': key, 'count': 0}}\n"
        "    return read{name}(state, x)\n"
    ),
    "tuple": (
        "class State{name}(NamedTuple):\n"
        "    key: jax.Array\n"
        "    count: int\n\n\n"
        "def {name}(key, x):\n"
        "    state = State{name}(key, 0)\n"
        "    return {inner}(state.key, x)\n"
    ),
    "dataclass": (
        "@jax.tree_util.register_dataclass\n"
        "@dataclass\n"
        "class State{name}:\n"
        "    key: jax.Array\n\n"
        "    def run(self, x):\n"
        "        return {inner}(self.key, x)\n\n\n"
        "def {name}(key, x):\n"
        "    return State{name}(key).run(x)\n"
    ),
    "list": ("def {name}(key, x):\n    keys = [key, None]\n    return {inner}(keys[0], x)\n"),
    "split_list": (
        "def {name}(key, x):\n    keys = jax.random.split(key, 3)\n    return {inner}(keys[1], x)\n"
    ),
}
"""By name, functions that hand a key and an array on to another function: `{inner}`."""

OUTER = tuple(name for name in LAYERS if name not in ("carry", "switch", "jvp", "tuple", "list"))
"""The layers that stand outside: the others differ from one of these in their words only."""

START = """\
from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp


def draw(key, x):
    return x + jax.random.normal(key, x.shape)


def twice(key, x):
    return draw(key, x) * jax.random.uniform(key, x.shape)


def once_each(key, x):
    one, other = jax.random.split(key)
    return draw(one, x) * jax.random.uniform(other, x.shape)
"""


@dataclass(frozen=True)
class KeyProgram:
    """A program, and whether it draws from a key twice."""

    name: str
    source: str
    is_right: bool


def programs(kind: str = "key") -> Iterator[KeyProgram]:
    """Yield the programs of each pair of layers, with keys of a kind: `key` or `PRNGKey`."""
    for outer in OUTER:
        for inner in LAYERS:
            for is_right in (False, True):
                yield inside(outer, inner, kind, is_right)
                yield outside_and_inside(outer, inner, kind, is_right)


def inside(outer: str, inner: str, kind: str, is_right: bool) -> KeyProgram:
    """Return a program that draws twice inside of two layers."""
    drawn = "once_each" if is_right else "twice"
    text = _joined(
        LAYERS[inner].format(name="inner", inner=drawn),
        LAYERS[outer].format(name="outer", inner="inner"),
        f"print(outer(jax.random.{kind}(0), jnp.ones(3)))\n",
    )
    return KeyProgram(f"inside {outer} {inner}", text, is_right)


def outside_and_inside(outer: str, inner: str, kind: str, is_right: bool) -> KeyProgram:
    """Return a program that draws once in the outer layer, and once in the inner one."""
    keys = "    key, sub = jax.random.split(key)\n    y = draw(sub, x)\n"
    keys = keys if is_right else "    y = draw(key, x)\n"
    both = f"def both(key, x):\n{keys}    return inner(key, y)\n"
    text = _joined(
        LAYERS[inner].format(name="inner", inner="draw"),
        both,
        LAYERS[outer].format(name="outer", inner="both"),
        f"print(outer(jax.random.{kind}(0), jnp.ones(3)))\n",
    )
    return KeyProgram(f"across {outer} {inner}", text, is_right)


def _joined(*parts: str) -> str:
    return "\n\n".join((START, *parts))
