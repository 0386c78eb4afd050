"""Reads from the ledger of a run which leaves of a state never changed, or came apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from jaxtutor.core.data.observations import (
    CameApart,
    EqualMembers,
    MovedWithoutGradient,
    NeverChanged,
    Observation,
    OtherCopyTrained,
    StateRestarted,
    SumUsedEarly,
    Unmoved,
)
from jaxtutor.worker.watching.subprograms import called_program

if TYPE_CHECKING:
    from jaxtutor.worker.watching.ledger import Account, DifferentiatedTree, LedgerLeaf

LEAST_ROUNDS = 5  # in which a leaf stayed the same while others changed
LEAST_OF_COPY = 10  # calls that got one and the same tree, before it counts as never updated
LEAST_RESTARTS = 2
LEAST_SUMS = 4  # times that a sum was cleared
MOST_NAMED = 3


class InputTree(Struct, frozen=True):
    """Inputs of a function that are the leaves of one tree: their positions by their paths."""

    name: str
    positions: Mapping[str, int]


def read(
    accounts: Sequence[Account], gradients: Sequence[DifferentiatedTree]
) -> Iterator[Observation]:
    """Yield what the calls of a run show."""
    moved = {
        path
        for account in accounts
        for gradient in gradients
        for tree in trees(account, gradient.paths)
        for path, position in tree.positions.items()
        if account.inputs[position].is_changed
    }
    seen = set[tuple[str, ...]]()
    for account in accounts:
        for gradient in sorted(gradients, key=lambda it: -len(it.paths)):
            if account.place is None or gradient.paths in seen:
                continue
            found = list(_of_gradient(account, gradient, moved))
            if found:
                seen.add(gradient.paths)
            yield from found


def _of_gradient(
    account: Account, gradient: DifferentiatedTree, moved: set[str]
) -> Iterator[Observation]:
    alike = trees(account, gradient.paths)
    yield from _equal_members(account, alike)
    params = next((tree for tree in alike if _is_trained(account, tree)), None)
    copy = _fixed_copy(account, alike)
    if copy is not None:
        yield OtherCopyTrained(*copy, account.calls, frame=account.place)
    if params is None:
        yield from _stands_still(account, gradient, alike, moved)
        return
    others = [tree for tree in trees_within(account, gradient.paths) if tree.name != params.name]
    yield from _never_changed(account, gradient, params, others, moved)
    yield from _came_apart(account, params)
    yield from _moved_without_gradient(account, gradient, params)
    yield from _restarted(account, params, others)
    yield from _used_early(account, others)


# ---------------------------------------------------------------- trees


def trees(account: Account, paths: Sequence[str]) -> list[InputTree]:
    """Return the trees among the inputs that have leaves at all of some paths."""
    found = trees_within(account, paths)
    return [tree for tree in found if len(tree.positions) == len(paths)]


def trees_within(account: Account, paths: Sequence[str]) -> list[InputTree]:
    """Return the trees among the inputs that have leaves at some of the paths, and no others.

    A wrapper of `jit` has names of its own for its inputs, but not for its results.
    """
    found: dict[str, dict[str, int]] = {}
    for position, leaf in enumerate(account.inputs):
        names = [leaf.name]
        if leaf.result is not None and leaf.name.startswith("dynamic_"):
            names.append(account.result_names[leaf.result])
        for name in names:
            for path in paths:
                if path and name.endswith(path):
                    found.setdefault(name.removesuffix(path), {})[path] = position
    return [InputTree(name, positions) for name, positions in found.items() if name]


def _is_trained(account: Account, tree: InputTree) -> bool:
    """Return whether a tree holds parameters: it is renewed, and did not begin as zeros."""
    leaves = [account.inputs[position] for position in tree.positions.values()]
    return any(leaf.is_changed and leaf.renewed >= LEAST_ROUNDS for leaf in leaves) and any(
        not leaf.is_constant for leaf in leaves
    )


def _shown(tree: InputTree, path: str) -> str:
    """Return the name of a leaf, as the program writes it."""
    return path.lstrip(".") if tree.name.startswith("result") else f"{tree.name}{path}"


# ---------------------------------------------------------------- facts


def _never_changed(
    account: Account,
    gradient: DifferentiatedTree,
    params: InputTree,
    others: Sequence[InputTree],
    moved: set[str],
) -> Iterator[Observation]:
    """Yield the leaves that kept their first value while others of their tree changed."""
    leaves = {path: account.inputs[position] for path, position in params.positions.items()}
    kept = [path for path, leaf in leaves.items() if _is_kept(leaf) and path not in moved]
    if not kept:
        return
    reasons = {path: _reason(account, gradient, params, others, path) for path in kept}
    last = _read_last(account, params, kept)
    first = reasons[(last or kept)[0]]
    named = sorted((path for path in kept if reasons[path] == first), key=lambda p: p not in last)
    yield NeverChanged(
        tuple(_shown(params, path) for path in named[:MOST_NAMED]),
        len(named),
        len(leaves),
        min(leaves[path].unchanged for path in named),
        first,
        bool(last),
        frame=account.place,
    )


def _stands_still(
    account: Account, gradient: DifferentiatedTree, alike: Sequence[InputTree], moved: set[str]
) -> Iterator[Observation]:
    """Yield a tree that a step returns as it was each time, in other arrays."""
    for tree in alike:
        leaves = _leaves(account, tree)
        is_still = all(_is_kept(leaf) and leaf.carried > LEAST_ROUNDS for leaf in leaves)
        if is_still and not moved.intersection(tree.positions):
            names = [_shown(tree, path) for path in tree.positions]
            times = min(leaf.unchanged for leaf in leaves)
            reason = _reason(account, gradient, tree, [], next(iter(tree.positions)))
            count = len(leaves)
            yield NeverChanged(
                tuple(names[:MOST_NAMED]), count, count, times, reason, frame=account.place
            )
            return


def _is_kept(leaf: LedgerLeaf) -> bool:
    return (
        leaf.is_float and bool(leaf.first) and not leaf.is_changed and leaf.unchanged > LEAST_ROUNDS
    )


def _reason(
    account: Account,
    gradient: DifferentiatedTree,
    params: InputTree,
    others: Sequence[InputTree],
    path: str,
) -> Unmoved:
    """Return why a leaf did not change, as far as the program shows it."""
    if path in gradient.zero:
        return "gradient"
    averages = [account.inputs[tree.positions[path]] for tree in others if path in tree.positions]
    averages = [leaf for leaf in averages if leaf.is_float and leaf.is_constant]
    if averages and all(_is_kept(leaf) for leaf in averages):
        return "gradient"
    leaf = account.inputs[params.positions[path]]
    if leaf.result is not None and _adds_zero(account.jaxpr, params.positions[path], leaf.result):
        return "update"
    return "rate" if any(leaf.is_changed for leaf in averages) else ""


def _came_apart(account: Account, params: InputTree) -> Iterator[Observation]:
    """Yield two leaves that were one array at first, and then got updates of their own."""
    paths = {position: path for path, position in params.positions.items()}
    for one, other in account.shared:
        if one not in paths or other not in paths:
            continue
        first, second = account.inputs[one], account.inputs[other]
        is_apart = bool(first.apart and second.apart) and first.apart != second.apart
        if is_apart and not first.is_constant and first.is_float:
            names = (_shown(params, paths[one]), _shown(params, paths[other]))
            yield CameApart(*names, account.calls, frame=account.place)
            return


def _equal_members(account: Account, alike: Sequence[InputTree]) -> Iterator[Observation]:
    """Yield a tree whose leaves hold equal entries, and other equal ones after they changed."""
    for tree in alike:
        equal = [path for path in tree.positions if _has_equal_members(account, tree, path)]
        if equal:
            count = account.inputs[tree.positions[equal[0]]].members
            name = _shown(tree, equal[0])
            yield EqualMembers(name, count, len(equal), frame=account.place)
            return


def _has_equal_members(account: Account, tree: InputTree, path: str) -> bool:
    """Return whether a leaf changed, and its entries were equal before and after that."""
    leaf = account.inputs[tree.positions[path]]
    after = (
        account.members.get(n, (0, b""))
        for n, name in enumerate(account.result_names)
        if name.endswith(path)
    )
    is_result = any(count == leaf.members and seen != leaf.first for count, seen in after)
    return leaf.members > 0 and (leaf.is_changed or is_result)


def _moved_without_gradient(
    account: Account, gradient: DifferentiatedTree, params: InputTree
) -> Iterator[Observation]:
    """Yield a leaf whose gradient is zero by itself, and that changed all the same."""
    for path in params.positions:
        leaf = account.inputs[params.positions[path]]
        is_moved = leaf.is_changed and leaf.renewed >= LEAST_ROUNDS and leaf.is_float
        is_moved &= leaf.result is not None and path in gradient.zero
        if is_moved and _moves_by_itself(account, params, path):
            yield MovedWithoutGradient(_shown(params, path), account.calls, frame=account.place)
            return


def _restarted(
    account: Account, params: InputTree, others: Sequence[InputTree]
) -> Iterator[Observation]:
    """Yield the state of an optimizer that began again, while the parameters went on."""
    for tree in others:
        leaves = [account.inputs[position] for position in tree.positions.values()]
        times = min((leaf.restarts for leaf in leaves), default=0)
        went_on = [account.inputs[position] for position in params.positions.values()]
        if times >= LEAST_RESTARTS and all(
            leaf.carried >= account.calls - 1 for leaf in went_on if leaf.is_changed
        ):
            yield StateRestarted(
                _root(tree.name), params.name, times, account.calls, frame=account.place
            )
            return


def _used_early(account: Account, others: Sequence[InputTree]) -> Iterator[Observation]:
    """Yield a sum that was cleared sooner the first time than every other time."""
    for tree in others:
        cleared = {tuple(account.inputs[position].cleared) for position in tree.positions.values()}
        times = [1, *cleared.pop()] if len(cleared) == 1 else []
        gaps = [later - earlier for earlier, later in pairwise(times)]
        if len(gaps) >= LEAST_SUMS and len(set(gaps[1:])) == 1 and gaps[0] < gaps[1]:
            left = (account.calls + 1 - times[1]) % gaps[1]
            yield SumUsedEarly(tree.name, gaps[0], gaps[1], left, frame=account.place)
            return


def _root(name: str) -> str:
    return re.split(r"[.\[]", name)[0]


def _fixed_copy(account: Account, alike: Sequence[InputTree]) -> tuple[str, str] | None:
    """Return two trees that began alike: one that is never updated, and one that nothing reads.

    The second is updated by what the first gives, and is read by its own update only.
    """
    if account.calls < LEAST_OF_COPY:
        return None
    fixed = [tree for tree in alike if all(not leaf.renewed for leaf in _leaves(account, tree))]
    for still in fixed:
        for tree in alike:
            if tree is still or not all(
                one.first and one.first == other.first and other.carried == account.calls - 1
                for one, other in zip(_leaves(account, still), _leaves(account, tree), strict=True)
            ):
                continue
            is_moved = any(leaf.is_changed for leaf in _leaves(account, tree))
            if is_moved and _is_read_by_itself_only(account, still, tree):
                return still.name, tree.name
    return None


def _leaves(account: Account, tree: InputTree) -> list[LedgerLeaf]:
    return [account.inputs[tree.positions[path]] for path in sorted(tree.positions)]


# ---------------------------------------------------------------- programs


def _is_read_by_itself_only(account: Account, still: InputTree, tree: InputTree) -> bool:
    """Return whether each leaf of a tree reaches only itself, and those of another reach it."""
    reached = reach(account.jaxpr, [1 << n for n in range(len(account.inputs))])
    own = {account.inputs[position].result: position for position in tree.positions.values()}
    for result, mask in enumerate(reached):
        read = [position for position in tree.positions.values() if mask >> position & 1]
        if read and read != [own.get(result)]:
            return False
    given = sum(1 << position for position in still.positions.values())
    return any(reached[result] & given for result in own if result is not None)


def _moves_by_itself(account: Account, params: InputTree, path: str) -> bool:
    """Return whether only a leaf itself, and the state of an optimizer, decide its next value."""
    position = params.positions[path]
    reached = reach(account.jaxpr, [1 << n for n in range(len(account.inputs))])
    read = reached[account.inputs[position].result or 0]
    others = [
        n
        for n, leaf in enumerate(account.inputs)
        if n != position and (n in params.positions.values() or not leaf.carried)
    ]
    return not any(read >> n & 1 for n in others)


def reach(jaxpr: Any, given: Sequence[int]) -> list[int]:
    """Return which inputs reach each result of a program, as bits.

    Nothing reaches a product with a constant zero.
    """
    known = dict(zip(jaxpr.invars, given, strict=True))
    zeros = set[Any]()
    for equation in jaxpr.eqns:
        reads = [0 if hasattr(atom, "val") else known.get(atom, 0) for atom in equation.invars]
        inner = called_program(equation.primitive.name, equation.params)
        if _gives_zero(equation, zeros):
            zeros.update(equation.outvars)
            made = [0] * len(equation.outvars)
        elif inner is not None and len(inner.jaxpr.invars) == len(reads):
            made = reach(inner.jaxpr, reads)
        else:
            together = 0
            for mask in reads:
                together |= mask
            made = [together] * len(equation.outvars)
        known.update(zip(equation.outvars, made, strict=True))
    return [0 if hasattr(atom, "val") else known.get(atom, 0) for atom in jaxpr.outvars]


def _adds_zero(jaxpr: Any, position: int, result: int) -> bool:
    """Return whether a program returns an input as it is, or with a constant zero added."""
    same, zeros = {jaxpr.invars[position]}, set[Any]()
    for equation in jaxpr.eqns:
        name, reads = equation.primitive.name, equation.invars
        if _gives_zero(equation, zeros):
            zeros.update(equation.outvars)
        elif name in _ALIKE and not hasattr(reads[0], "val") and reads[0] in same:
            same.update(equation.outvars)
        elif name in ("add", "add_any", "sub"):
            one, other = (None if hasattr(atom, "val") else atom for atom in reads)
            if (one in same and _is_zero(reads[1], zeros)) or (
                other in same and name != "sub" and _is_zero(reads[0], zeros)
            ):
                same.update(equation.outvars)
    out = jaxpr.outvars[result]
    return not hasattr(out, "val") and out in same


_ALIKE = ("convert_element_type", "copy", "broadcast_in_dim", "reshape", "neg")


def _gives_zero(equation: Any, zeros: set[Any]) -> bool:
    """Return whether an equation's result is zero because its operands are constant zeros."""
    name = equation.primitive.name
    are_zero = [_is_zero(atom, zeros) for atom in equation.invars]
    if name == "mul":
        return any(are_zero)
    if name == "div":
        return are_zero[0]
    if name == "select_n":
        return all(are_zero[1:])
    return name in (*_ALIKE, "add", "sub", "add_any", "square", "sqrt") and all(are_zero)


def _is_zero(atom: Any, zeros: set[Any]) -> bool:
    if hasattr(atom, "val"):
        return not np.any(np.asarray(atom.val))
    return atom in zeros


def _read_last(account: Account, params: InputTree, kept: Sequence[str]) -> list[str]:
    """Return the leaves that are first read after all that changed: those of the last layer."""
    if account.jaxpr is None:  # of a gradient that was computed at once
        return []
    first = _first_reads(account.jaxpr)
    places = {
        path: first.get(account.jaxpr.invars[position], -1)
        for path, position in params.positions.items()
    }
    others = [place for path, place in places.items() if path not in kept]
    return [path for path in kept if others and places[path] > max(others)]


def _first_reads(jaxpr: Any) -> dict[Any, int]:
    """Return by which equation each variable is first read; a conversion is looked through."""
    alias: dict[Any, Any] = {}
    found: dict[Any, int] = {}
    for number, equation in enumerate(jaxpr.eqns):
        for atom in equation.invars:
            if hasattr(atom, "val"):
                continue
            if equation.primitive.name == "convert_element_type":
                alias[equation.outvars[0]] = alias.get(atom, atom)
            else:
                found.setdefault(alias.get(atom, atom), number)
    return found
