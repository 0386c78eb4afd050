"""Keeps a ledger of the leaves that compiled functions are given and return, call by call.

Leaves are known by identity. They are kept by weak references and digests of their bytes, so that
observing a run keeps no buffer alive. What the ledger says at the end is read in `ledger_facts`.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from types import FrameType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.data.observations import Observation
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.internals import places, tracers
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.watching import ledger_facts
from jaxtutor.worker.watching.batch_means import means_of_batches
from jaxtutor.worker.watching.batches import Batches
from jaxtutor.worker.watching.gradients import differentiated
from jaxtutor.worker.watching.late_calls import LateCalls
from jaxtutor.worker.watching.repeated_states import leaves_of_variables, repeated_states

MOST_PROGRAMS = 200
MOST_TREES = 40  # that gradients were taken with respect to
MOST_LEAVES = 2_000  # of one function
MOST_CALLS = 1_000  # of a function; JAX takes 0.2 ms longer for a call that Python sees
FEW_CALLS = 8  # after which a function that gets the same arrays each time has no state
MOST_CALLS_OF_HALF = 3_000  # of one with a state in half precision, which ends at 256 or 2,048
MOST_CALLS_OF_ALL = 5_000
MOST_BYTES = 1 << 27  # that are read for digests
LARGEST = 1 << 24  # bytes of a leaf that has a digest
MOST_CLEARED = 64  # calls in which a leaf is compared with its first value


class LedgerLeaf:
    """What is known of one input of a function, over its calls."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.first = b""  # digest in the first call; empty if there is none
        self.apart = b""  # digest when it had changed first
        self.is_constant = True  # filled with one number in the first call
        self.is_float = False
        self.renewed = 0  # calls that got another object than the call before
        self.carried = 0  # calls that got what the call before had returned
        self.result: int | None = None  # position of the result that was carried
        self.unchanged = 0  # the last call at which the value was found as at the start
        self.is_changed = False
        self.restarts = 0  # calls that got the first value again, in another object
        self.cleared: list[int] = []  # calls that got the first value again, from the call before
        self.members = 0  # equal entries along the first axis, in each call that was looked at
        self.last: Callable[[], Any] = _nothing


class Account:
    """What one function was given and has returned."""

    def __init__(self, jaxpr: Any, names: Sequence[str], results: Sequence[str]) -> None:
        self.jaxpr = jaxpr
        self.inputs = [LedgerLeaf(name) for name in names]
        self.result_names = tuple(results)
        self.place: Frame | None = None
        self.calls = 0
        self.results: list[Callable[[], Any]] = []
        self.goes_on = False  # the last call got what the call before had returned
        self.shared: list[tuple[int, int]] = []  # inputs that were one object in the first call
        self.carried: dict[int, int] = {}  # inputs that were results of the last call, and which
        self.taken = set[int]()  # results of one call that the next call got
        self.variables: Mapping[str, list[int]] = {}  # of the caller, and which inputs they hold
        self.members: dict[int, tuple[int, bytes]] = {}  # equal entries of results, and a digest
        self.late = LateCalls()

    @property
    def is_followed(self) -> bool:
        """Whether the next call is recorded."""
        return self.calls < (MOST_CALLS_OF_HALF if self.late.has_half else MOST_CALLS)

    @property
    def is_renewed(self) -> bool:
        """Whether a call got another array than the call before."""
        return any(leaf.renewed for leaf in self.inputs)


class DifferentiatedTree:
    """A tree that a gradient was taken with respect to: the paths of its leaves."""

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = tuple(paths)
        self.zero = set(paths)  # those whose gradient was a constant zero each time


class Ledger:
    """Records calls, and reads from them at the end what never changed, or came apart.

    A failure costs what the ledger would have said, and nothing else.
    """

    def __init__(self, is_own: IsOwn) -> None:
        self._is_own = is_own
        self._accounts: dict[tuple[object, ...], Account] = {}
        self._programs: dict[int, tuple[Any, Account]] = {}  # held, so that no id is reused
        self._gradients: dict[tuple[str, ...], DifferentiatedTree] = {}
        self._bytes = MOST_BYTES
        self._calls = MOST_CALLS_OF_ALL
        self.batches = Batches(is_own)
        self.wants_next = False  # the next call of the function that was called last

    def forget(self) -> None:
        """Discard what was recorded."""
        self.__init__(self._is_own)  # type: ignore[misc]

    def recorded(
        self, original: Callable[[], Any], program: Any, args: Sequence[Any]
    ) -> Callable[[], Any]:
        """Record a call of a program. Return what makes the call, and records its results."""
        account = None
        with suppress(Exception):
            account = self._account(program.jaxpr)
            if account is not None and account.is_followed and self._calls > 0:
                self._take(account, args)
                self.batches.take(account, args)
                self.wants_next = account.calls < FEW_CALLS or account.is_renewed
            elif account is not None:
                self.batches.leave(account)
        if account is None:
            return original

        def call() -> Any:
            answer = original()
            with suppress(Exception):
                outs = answer[0] if len(answer) and isinstance(answer[0], list) else answer
                account.results = [_reference(out) for out in outs]
                self._look_for_members(account, outs)
            return answer

        return call

    def note_gradient(
        self, function: Any, argnums: Any, args: Sequence[Any], gradient: Any, frame: FrameType
    ) -> None:
        """Record what a gradient was taken with respect to, and where it is zero by itself.

        `frame` calls for the gradient. Outside of a compiled function, the call counts as one of a
        function that is given these parameters.
        """
        with suppress(Exception):
            for it in differentiated(argnums, args, gradient):
                if len(self._gradients) >= MOST_TREES:
                    return
                zero = zip(it.paths, map(tracers.is_constant_zero, it.gradient), strict=True)
                known = self._gradients.setdefault(it.paths, DifferentiatedTree(it.paths))
                known.zero &= {path for path, is_zero in zero if is_zero}
                if not any(map(tracers.is_tracer, it.given)):
                    self._take_parameters(function, it.position, it.paths, it.given, frame)

    def _take_parameters(
        self, function: Any, position: int, paths: Sequence[str], given: Any, frame: FrameType
    ) -> None:
        """Record the parameters of a gradient that is computed at once."""
        owner = inspect.unwrap(function).__code__.co_varnames[position]
        names = tuple(f"{owner}{path}" for path in paths)
        key = frame.f_code, frame.f_lasti, names
        account = self._accounts.setdefault(key, Account(None, names, ()))
        if account.calls < MOST_CALLS:
            self._take(account, given)

    def is_late_call(self, jaxpr: Any) -> bool:
        """Return whether the call that was recorded last is worth an evaluation."""
        known = self._programs.get(id(jaxpr))
        return known is not None and known[1].late.is_due(known[1].calls)

    def carried(self, jaxpr: Any) -> dict[int, int]:
        """Return which inputs the last call got from the call before, and which results those are.

        It is empty for a program of which nothing is recorded.
        """
        known = self._programs.get(id(jaxpr))
        return known[1].carried if known is not None else {}

    def observations(self) -> Iterator[Observation]:
        """Yield what the whole run shows."""
        accounts = list(self._accounts.values())
        with suppress(Exception):
            yield from ledger_facts.read(accounts, list(self._gradients.values()))
        for account in accounts:
            with suppress(Exception):  # one that fails leaves the others
                yield from repeated_states(account)
        with suppress(Exception):
            yield from self.batches.observations()
        with suppress(Exception):
            yield from means_of_batches(accounts)

    def _account(self, jaxpr: Any) -> Account | None:
        """Return the account of a function, which may have been compiled more than once."""
        known = self._programs.get(id(jaxpr))
        if known is not None or len(self._programs) >= MOST_PROGRAMS:
            return known[1] if known is not None else None
        info = jaxpr.debug_info
        names = tuple(name or "" for name in info.arg_names or ())
        if len(names) != len(jaxpr.invars) or not 0 < len(names) <= MOST_LEAVES:
            return None
        results = tuple(info.result_paths or ())
        if len(results) != len(jaxpr.outvars):
            results = ("",) * len(jaxpr.outvars)
        shapes = tuple((v.aval.shape, str(v.aval.dtype)) for v in jaxpr.invars)
        key = info.func_src_info, names, results, shapes
        account = self._accounts.setdefault(key, Account(jaxpr, names, results))
        self._programs[id(jaxpr)] = jaxpr, account
        return account

    def _take(self, account: Account, args: Sequence[Any]) -> None:
        """Record what a call is given."""
        if len(args) != len(account.inputs):
            return
        account.calls += 1
        self._calls -= 1
        if account.place is None:
            account.place, _ = places.current_place(self._is_own)
        if account.calls == 1:
            account.shared = list(_pairs_of_one_object(args))
        returned = {
            id(out): n for n, ref in enumerate(account.results) if (out := ref()) is not None
        }
        account.carried = {
            n: returned[id(value)] for n, value in enumerate(args) if id(value) in returned
        }
        account.taken.update(account.carried.values())
        account.goes_on = bool(account.carried)
        if account.calls == 2 and account.goes_on:
            frame = places.own_caller(sys._getframe(), self._is_own)
            account.variables = leaves_of_variables(frame, account.place, args)
        account.late.take(account.calls, ((n, args[n]) for n in account.carried))
        for leaf, value in zip(account.inputs, args, strict=True):
            self._take_leaf(leaf, value, account.calls, returned.get(id(value)))

    def _take_leaf(self, leaf: LedgerLeaf, value: Any, calls: int, result: int | None) -> None:
        if not isinstance(value, jax.Array) or tracers.is_tracer(value):
            return
        if calls == 1:
            leaf.is_float = bool(jnp.issubdtype(value.dtype, jnp.floating))
            leaf.first, leaf.is_constant = self._digest(value)
            leaf.members = equal_members(value) if leaf.is_float and leaf.first else 0
        else:
            if leaf.members and _is_due(calls):
                leaf.members = leaf.members if equal_members(value) == leaf.members else 0
            is_same = leaf.last() is value
            leaf.renewed += not is_same
            if result is not None:
                leaf.carried += 1
                leaf.result = result
            elif leaf.is_changed and leaf.carried and not is_same and leaf.is_constant:
                leaf.restarts += self._digest(value)[0] == leaf.first
            if is_same and not leaf.renewed:
                leaf.unchanged = calls
            elif not leaf.is_changed and leaf.first and _is_due(calls):
                now, _ = self._digest(value)
                leaf.is_changed = bool(now) and now != leaf.first
                leaf.apart = now if leaf.is_changed else b""
                leaf.unchanged = leaf.unchanged if leaf.is_changed or not now else calls
            if result is not None and leaf.is_float:
                self._look_for_first_value(leaf, value, calls)
        leaf.last = _reference(value)

    def _look_for_members(self, account: Account, results: Sequence[Any]) -> None:
        """Record which results have equal entries, if an argument has."""
        if any(leaf.members for leaf in account.inputs) and _is_due(account.calls):
            for n, result in enumerate(results):
                found = equal_members(result)
                account.members[n] = found, self._digest(result)[0] if found else b""

    def _look_for_first_value(self, leaf: LedgerLeaf, value: Any, calls: int) -> None:
        """Record that a leaf has its first value again, if it began filled with one number."""
        is_cleared = leaf.is_constant and leaf.first and (calls <= FEW_CALLS or leaf.cleared)
        if is_cleared and calls <= MOST_CLEARED and self._digest(value)[0] == leaf.first:
            leaf.cleared.append(calls)

    def _digest(self, value: Any) -> tuple[bytes, bool]:
        """Return a digest of an array's bytes, and whether it is filled with one number.

        A single number counts if it is zero: a constant is what a state begins with.
        """
        is_number = isinstance(value.dtype, np.dtype) and value.size > 0
        if not is_number or value.nbytes > min(self._bytes, LARGEST):
            return b"", True
        self._bytes -= value.nbytes
        array = np.ascontiguousarray(np.asarray(value))
        flat = array.reshape(-1)
        data: Any = flat.view(np.uint8)
        digest = hashlib.blake2b(data, digest_size=16).digest()
        is_alike = bool((flat == flat[0]).all())
        return digest, is_alike and (flat.size > 1 or not flat[0])


def equal_members(value: Any) -> int:
    """Return how many entries an array has along its first axis, if all are equal; else 0.

    An entry that is filled with one number does not count, nor do copies on several devices.
    """
    if not isinstance(value, jax.Array) or value.ndim < 2 or len(value) < 2:
        return 0
    if value.nbytes > LARGEST or len(value.sharding.device_set) > 1:
        return 0
    entries = np.asarray(value)
    first = entries[0]
    is_array = first.size > 1 and bool((first != first.flat[0]).any())
    is_equal = is_array and bool((entries[1] == first).all()) and bool((entries == first).all())
    return len(entries) if is_equal else 0


def _is_due(calls: int) -> bool:
    """Return whether a value that has not changed yet is compared with the first one."""
    return calls <= 6 or calls & (calls - 1) == 0


def _pairs_of_one_object(args: Sequence[Any]) -> Iterator[tuple[int, int]]:
    """Yield the positions of arrays that are given twice."""
    first: dict[int, int] = {}
    for position, value in enumerate(args):
        if isinstance(value, jax.Array) and first.setdefault(id(value), position) != position:
            yield first[id(value)], position


def _reference(value: Any) -> Callable[[], Any]:
    with suppress(TypeError):
        return weakref.ref(value)
    return _nothing


def _nothing() -> None:
    return None
