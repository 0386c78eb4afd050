"""Follows random keys through a compiled program, without running it.

Every value of the program gets a number. Values that are computed in the same way from the same
values get the same number, also across the programs that it calls, so two uses of one key are two
uses of one number. The number of a key also says what it depends on: inputs, and rounds of loops.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import jax

from jaxtutor.worker.internals import tracers
from jaxtutor.worker.watching.subprograms import (
    ClosedProgram,
    called_program,
    carried_count,
    shared_by_rounds,
)

MOST_EQUATIONS = 20_000  # of a program, with those of the programs that it calls
MOST_DECISIVE = 4  # inputs that decide a draw together
MOST_REPORTED = 20  # pairs of uses, and uses in loops
_ANCESTORS = 6  # values from which a key is computed that are searched for a key in a pair
_DRAWS = ("random_bits", "random_gamma")


class _TooLong(Exception):
    """A program has more equations than are followed."""


@dataclass(frozen=True)
class Use:
    """A draw from a key, or its split, with the equations that lead there, outermost first.

    `is_mapped` says that a function made by `vmap` draws, from one key for all examples. `is_row`
    says that the key is one of an array of keys, or that these are, so it may have several names.
    """

    path: tuple[Any, ...]
    is_split: bool = False
    is_mapped: bool = False
    is_row: bool = False


class _Rows(NamedTuple):
    """Some rows of an array of keys, by the number of the array."""

    array: int
    begin: int
    end: int

    def overlaps(self, other: _Rows) -> bool:
        """Return whether both have a row in common."""
        return self.array == other.array and self.begin < other.end and other.begin < self.end


@dataclass(frozen=True)
class LoopUse:
    """A draw in a loop; `is_same` says that its key is the same in each round."""

    use: Use
    loop: Any
    is_same: bool


class KeyFlow:
    """The uses of keys in one program.

    `pairs` are two uses of one key. `in_loops` are the draws in loops, `mapped` those for all
    examples of a `vmap`, and `seeded` those from a key of a constant seed, with the equations that
    lead to the seed. `captured` are the draws that no input decides, from a key that the program
    holds or makes. `alone` are the inputs that decide a draw, each by itself.
    """

    def __init__(self, closed: Any, most: int = MOST_EQUATIONS) -> None:
        self.pairs: list[tuple[Use, Use]] = []
        self.in_loops: list[LoopUse] = []
        self.mapped: list[Use] = []
        self.seeded: list[tuple[Use, tuple[Any, ...]]] = []
        self.captured: list[Use] = []
        self._seeds: dict[int, tuple[Any, ...]] = {}
        self.decisive: set[frozenset[int]] = set()
        self.dropped: set[int] = set()
        self._numbers: dict[object, int] = {}
        self._roots: list[int] = []  # by number: a bit for each input and each loop
        self._parents: list[tuple[int, ...]] = []
        self._bits = 0
        self._inputs = len(closed.jaxpr.invars)
        self._first: dict[int, Use] = {}
        self._repeated: set[int] = set()
        self._loops: list[tuple[int, Any]] = []
        self._rows: dict[int, _Rows] = {}
        self._rows_of: defaultdict[int, set[int]] = defaultdict(set)
        self.left = most
        self._with_keys: dict[int, bool] = {}
        if self._has_keys(closed.jaxpr):
            inputs = [self._source(("input", n)) for n in range(self._inputs)]
            with suppress(_TooLong):
                outs = self._run(closed, inputs, ())
                self._keep_dropped(closed.jaxpr, outs)

    @property
    def count(self) -> int:
        """How many keys are drawn from or split."""
        return len(self._first)

    @property
    def used_inputs(self) -> set[int]:
        """The inputs that are themselves drawn from, by their position."""
        drawn = (number for number, use in self._first.items() if not use.is_split)
        return {number for number in drawn if number < self._inputs}

    # ------------------------------------------------------------ numbers

    def _number(self, what: object, parents: Sequence[int] = (), roots: int = 0) -> int:
        """Return the number of a value that is computed in this way."""
        found = self._numbers.setdefault(what, len(self._roots))
        if found == len(self._roots):
            for parent in parents:
                roots |= self._roots[parent]
            self._roots.append(roots)
            self._parents.append(tuple(parents))
        return found

    def _source(self, what: object) -> int:
        """Return the number of a value of which nothing is known but where it comes from."""
        self._bits += 1
        return self._number(what, roots=1 << (self._bits - 1))

    def _constant(self, value: Any, aval: Any) -> int:
        if is_key(aval):
            return self._source(("key", id(value)))
        return self._number(("constant", id(value)))

    def _computed(self, equation: Any, ins: Sequence[int]) -> list[int]:
        """Return the numbers of what an equation computes."""
        if equation.effects:
            return [self._source((id(equation), n)) for n in range(len(equation.outvars))]
        how: object = equation.primitive.name, tuple(equation.params.items())
        try:
            hash(how)
        except TypeError:
            how = id(equation)
        return [self._number((how, *ins, n), ins) for n in range(len(equation.outvars))]

    def _keep_dropped(self, jaxpr: Any, outs: Sequence[int]) -> None:
        """Leave of the counters those from which the program returns no new count."""
        returned = [
            (self._roots[out], str(v.aval)) for out, v in zip(outs, jaxpr.outvars, strict=True)
        ]
        self.dropped = {
            n
            for n in self.dropped
            if not any(
                roots >> n & 1 and aval == str(jaxpr.invars[n].aval) for roots, aval in returned
            )
        }

    # ------------------------------------------------------------ programs

    def _run(self, closed: Any, ins: Sequence[int], path: tuple[Any, ...]) -> list[int]:
        """Follow the keys through a program, and return the numbers of its results."""
        jaxpr = closed.jaxpr
        known: dict[Any, int] = dict(zip(jaxpr.invars, ins, strict=True))
        for variable, value in zip(jaxpr.constvars, closed.consts, strict=False):
            known[variable] = self._constant(value, variable.aval)

        def read(atom: Any) -> int:
            if hasattr(atom, "val"):
                return self._number(("literal", str(atom.aval), str(atom.val)))
            if atom not in known:  # a constant whose value was not handed on
                known[atom] = self._source(atom)
            return known[atom]

        for equation in jaxpr.eqns:
            self.left -= 1
            if self.left < 0:
                raise _TooLong
            given = [read(atom) for atom in equation.invars]
            results = self._step(equation, given, (*path, equation))
            known.update(zip(equation.outvars, results, strict=True))
        return [read(atom) for atom in jaxpr.outvars]

    def _step(self, equation: Any, ins: list[int], path: tuple[Any, ...]) -> list[int]:
        name = equation.primitive.name
        if _is_repetition(equation):
            return self._computed(equation, ins)
        if name in ("random_wrap", "random_unwrap"):  # a typed key and its bits are one key
            return ins
        if name in (*_DRAWS, "random_split"):
            self._use(equation.invars[0].aval, ins[0], path, is_split=name == "random_split")
        keys = self._made_keys(equation, ins) or self._taken_keys(equation, ins)
        if keys is not None:
            return keys
        if name in (*_DRAWS, "random_split"):
            return self._computed(equation, ins)
        if name in ("scan", "while"):
            return self._loop(equation, ins, path)
        if name == "cond":
            return self._branch(equation, ins, path)
        results = self._call(equation, ins, path)
        if results is not None:
            return results
        if name == "random_seed":
            (made,) = self._computed(equation, ins)
            self._seeds.setdefault(made, path)
            return [made]
        if name == "add" and ins[0] < self._inputs and _is_counted(equation):
            self.dropped.add(ins[0])
        return self._computed(equation, ins)

    def _call(self, equation: Any, ins: list[int], path: tuple[Any, ...]) -> list[int] | None:
        """Follow the keys through a program that an equation calls; None if it has no results."""
        name, params = equation.primitive.name, equation.params
        inner = ClosedProgram(params["jaxpr"]) if name == "shard_map" else None
        inner = inner or called_program(name, params)
        if inner is None or not self._has_keys(inner.jaxpr):
            return None
        if not tracers.draws_numbers(inner.jaxpr):
            return self._run(inner, ins, path)
        for atom, number in zip(equation.invars, ins, strict=True):
            if is_key(atom.aval):
                self._use(atom.aval, number, path)
        return None

    def _made_keys(self, equation: Any, ins: list[int]) -> list[int] | None:
        """Return the number of the keys that are made from one key; None if it is not known.

        `fold_in(key, 1)` is the second key of `split(key, n)`, for each n.
        """
        name, params = equation.primitive.name, equation.params
        if name not in ("random_split", "random_fold_in"):
            return None
        if not _is_counted_on(equation.invars[0].aval):
            return None
        made = self._number(("children", ins[0]), ins[:1])
        if name == "random_split":
            count = params["shape"]
            return [self._row_number(made, 0, count[0])] if len(count) == 1 else None
        index = getattr(equation.invars[1], "val", None)
        return None if index is None else [self._row_number(made, int(index), int(index) + 1)]

    def _taken_keys(self, equation: Any, ins: list[int]) -> list[int] | None:
        """Return the numbers of what is taken from an array of keys; None if it is not known."""
        name, params = equation.primitive.name, equation.params
        if not ins:
            return None
        given = equation.invars[0].aval
        count = _count_keys(given)
        if count == 1 and name in ("squeeze", "reshape", "broadcast_in_dim"):
            return ins[:1] if _count_keys(equation.outvars[0].aval) == 1 else None
        if not count or given.shape[:1] != (count,):  # of more than one axis
            return None
        array, begin, _ = self._rows.get(ins[0], _Rows(ins[0], 0, count))
        if name == "unstack" and params["axis"] == 0:
            return [self._row_number(array, begin + n, begin + n + 1) for n in range(count)]
        if name != "slice" or not _takes_rows(equation):
            return None
        ends = params["start_indices"][0], params["limit_indices"][0]
        return [self._row_number(array, begin + ends[0], begin + ends[1])]

    def _row_number(self, array: int, begin: int, end: int) -> int:
        """Return the number of some rows of an array of keys."""
        number = self._number(("rows", array, begin, end), (array,))
        self._rows[number] = _Rows(array, begin, end)
        self._rows_of[array].add(number)
        return number

    def _branch(self, equation: Any, ins: list[int], path: tuple[Any, ...]) -> list[int]:
        """Follow each branch by itself: only one of them is taken."""
        before = dict(self._first)
        after, results = dict(before), []
        for branch in equation.params["branches"]:
            self._first = dict(before)
            results.append(self._run(branch, ins[1:], path))
            after = self._first | after
        self._first = after
        return [
            values[0] if len(set(values)) == 1 else self._number(("branches", ins[0], *values), ins)
            for values in zip(*results, strict=True)
        ]

    def _loop(self, equation: Any, ins: list[int], path: tuple[Any, ...]) -> list[int]:
        """Follow one round of a loop, in which what it carries on is not known."""
        params = equation.params
        body = params["body_jaxpr"] if equation.primitive.name == "while" else params["jaxpr"]
        results = self._computed(equation, ins)
        if not self._has_keys(body.jaxpr):
            return results
        skipped = params.get("cond_nconsts", 0)  # of a while: they come first
        given = ins[skipped:]
        shared = params.get("body_nconsts")
        carried = len(body.jaxpr.outvars)
        if shared is None:
            shared = shared_by_rounds(equation, body.jaxpr)
            carried = carried_count(equation, body.jaxpr)
        rounds = self._source(("rounds", *path))
        kept = _unchanged(body.jaxpr, shared, carried)
        inside = [
            number
            if n < shared or n - shared in kept
            else self._number((rounds, n), (rounds, number))
            for n, number in enumerate(given)
        ]
        self._loops.append((self._roots[rounds], equation))
        outs = self._run(body, inside, path)
        self._loops.pop()
        for n in range(shared + carried, len(inside)):  # each round draws from a part of these
            use = self._first.get(inside[n])
            if use is not None:
                self._use(equation.invars[skipped + n].aval, given[n], use.path, use.is_split)
        for n in range(carried):
            if n in kept:
                results[n] = given[shared + n]
            else:
                self._compare_rounds(outs[n], inside[shared + n])
        return results

    def _compare_rounds(self, after: int, before: int) -> None:
        """Pair the use of a key that a round returns with its use in the next round."""
        if after in self._first and before in self._first:
            self._pair(after, self._first[after], self._first[before])

    # ------------------------------------------------------------ uses

    def _use(self, aval: Any, key: int, path: tuple[Any, ...], is_split: bool = False) -> None:
        roots = self._roots[key]
        is_mapped = aval.shape == () and any("vmap" in str(_stack(e)) for e in path)
        is_row = key in self._rows or key in self._rows_of
        use = Use(path, is_split, is_mapped, is_row)
        if not is_split and not roots & ((1 << self._inputs) - 1):
            self._note_fixed(use, key, is_alike=not roots & ~self._rounds and aval.shape == ())
        if not roots:  # made from a constant seed: a constant too
            return
        if not is_split:
            self._note_draw(use, aval, roots)
        first = self._first.setdefault(key, use)
        if first is not use:
            self._pair(key, first, use)
        else:
            self._compare_rows(key, _count_keys(aval), use)

    def _compare_rows(self, key: int, count: int, use: Use) -> None:
        """Pair the use of an array of keys with that of a part of it."""
        rows = self._rows.get(key, _Rows(key, 0, count))
        for number in (rows.array, *self._rows_of[rows.array]):
            other = self._rows.get(number, _Rows(number, 0, count))
            if number != key and number in self._first and rows.overlaps(other):
                self._pair(key, self._first[number], use)
                return

    @property
    def _rounds(self) -> int:
        """The bits of the loops around."""
        return sum(bit for bit, _ in self._loops)

    def _note_fixed(self, use: Use, key: int, is_alike: bool) -> None:
        """Keep a draw that no input decides; `is_alike` if rows and loops do not either."""
        seed = self._seed_of(key)
        if len(self.captured) < MOST_REPORTED:
            self.captured.append(use)
        if seed is not None and is_alike and len(self.seeded) < MOST_REPORTED:
            self.seeded.append((use, seed))

    def _seed_of(self, key: int) -> tuple[Any, ...] | None:
        """Return the equations that lead to the constant seed of a key."""
        front = [key]
        for _ in range(_ANCESTORS):
            seed = next((self._seeds[n] for n in front if n in self._seeds), None)
            if seed is not None:
                return seed
            front = list(chain.from_iterable(self._parents[n] for n in front))
        return None

    def _note_draw(self, use: Use, aval: Any, roots: int) -> None:
        inputs = roots & ~self._rounds
        if inputs < 1 << self._inputs and inputs.bit_count() <= MOST_DECISIVE:
            self.decisive.add(frozenset(n for n in range(self._inputs) if inputs >> n & 1))
        if aval.shape == () and len(self.mapped) < MOST_REPORTED:
            self.mapped.append(use)
        for bit, loop in self._loops:
            if len(self.in_loops) < MOST_REPORTED:
                self.in_loops.append(LoopUse(use, loop, not roots & bit))

    def _pair(self, key: int, first: Use, second: Use) -> None:
        """Keep two uses of a key, unless it was made from a key that was used twice."""
        if not self._is_from_repeated(key) and len(self.pairs) < MOST_REPORTED:
            self.pairs.append((first, second))
        self._repeated.add(key)

    def _is_from_repeated(self, key: int) -> bool:
        front = [key]
        for _ in range(_ANCESTORS):
            front = list(chain.from_iterable(self._parents[n] for n in front))
            if not self._repeated.isdisjoint(front):
                return True
        return False

    def _has_keys(self, jaxpr: Any) -> bool:
        """Return whether a program, or one that it calls, uses keys."""
        return uses_keys(jaxpr, self._with_keys)


def is_key(aval: Any) -> bool:
    """Return whether a value may be a key: a typed one, or one of two numbers."""
    dtype, shape = str(getattr(aval, "dtype", "")), getattr(aval, "shape", ())
    return dtype.startswith("key<") or (dtype == "uint32" and shape == (2,))


def _count_keys(aval: Any) -> int:
    """Return how many keys an array may hold: typed ones, or rows of two numbers; 0 for others."""
    dtype, shape = str(getattr(aval, "dtype", "")), getattr(aval, "shape", ())
    if dtype.startswith("key<"):
        return math.prod(shape)
    return math.prod(shape[:-1]) if dtype == "uint32" and shape[-1:] == (2,) else 0


def _takes_rows(equation: Any) -> bool:
    """Return whether a slice takes whole rows, one after another."""
    is_whole = equation.outvars[0].aval.shape[1:] == equation.invars[0].aval.shape[1:]
    return bool(is_whole) and set(equation.params["strides"] or (1,)) == {1}


def _is_counted_on(aval: Any) -> bool:
    """Return whether `split` and `fold_in` make the children of a single key from one count."""
    options: Any = jax.config  # jax does not annotate its options
    is_single = aval.shape == () and str(aval.dtype) == "key<fry>"
    return is_single and bool(options.jax_threefry_partitionable)


def uses_keys(jaxpr: Any, known: dict[int, bool]) -> bool:
    """Return whether a program, or one that it calls, uses keys; `known` keeps the answers."""
    if id(jaxpr) not in known:
        known[id(jaxpr)] = any(
            e.primitive.name.startswith("random_")
            or any(uses_keys(p, known) for p in programs_in(e.params))
            for e in jaxpr.eqns
        )
    return known[id(jaxpr)]


def _stack(equation: Any) -> object:
    return equation.source_info.name_stack


def _is_counted(equation: Any) -> bool:
    """Return whether an equation adds 1 to an integer."""
    aval, one = equation.outvars[0].aval, getattr(equation.invars[1], "val", None)
    return aval.shape == () and aval.dtype.kind in "iu" and one is not None and int(one) == 1


def _is_repetition(equation: Any) -> bool:
    """Return whether an equation belongs to a backward pass, which repeats the draws on purpose."""
    return bool(equation.params.get("differentiated")) or "transpose" in str(_stack(equation))


def programs_in(params: Mapping[str, Any]) -> list[Any]:
    """List the programs in the parameters of an equation."""
    flat = chain.from_iterable(p if isinstance(p, tuple | list) else (p,) for p in params.values())
    inner = (getattr(p, "jaxpr", p) for p in flat)
    return [p for p in inner if hasattr(p, "eqns")]


def _unchanged(body: Any, shared: int, carried: int) -> set[int]:
    """Return which of the values that a loop carries its body returns as they are."""
    inputs = {v: n for n, v in enumerate(body.invars)}
    made = {v: e for e in body.eqns for v in e.outvars}
    passed = defaultdict[int, int](lambda: -1)
    for n, atom in enumerate(body.outvars[:carried]):
        source = _source_of(atom, made)
        if not hasattr(source, "val"):
            passed[n] = inputs.get(source, -1)
    return {n for n in range(carried) if passed[n] == shared + n}


def _source_of(atom: Any, made: dict[Any, Any]) -> Any:
    """Return the variable that a value is, through the programs that return what they are given."""
    while not hasattr(atom, "val") and atom in made:
        equation = made[atom]
        inner = called_program(equation.primitive.name, equation.params)
        if inner is None or len(inner.jaxpr.invars) != len(equation.invars):
            break
        result = inner.jaxpr.outvars[equation.outvars.index(atom)]
        given = dict(zip(inner.jaxpr.invars, equation.invars, strict=True))
        if hasattr(result, "val") or result not in given:
            break
        atom = given[result]
    return atom
