"""Tests the second evaluation of a program: by NumPy, past callbacks and long loops, in 64 bits."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxtutor.core.data.observations import (
    DigitsLost,
    Observation,
    StateStays,
    SumStays,
    Wrapped,
)
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.watching.coverage import Followed
from jaxtutor.worker.watching.late_calls import LateCalls, is_sum
from jaxtutor.worker.watching.long_loops import split_rounds
from jaxtutor.worker.watching.non_finite import NonFiniteOrigins
from jaxtutor.worker.watching.operations import OperationWatch
from jaxtutor.worker.watching.precision import PrecisionWatch
from jaxtutor.worker.watching.program_walk import Budget, Exhausted, ProgramWalk, Values

Function = Callable[..., Any]


class Walked:
    """Evaluates programs as an observed run does, and keeps what is noted."""

    def __init__(self, budget: Budget | None = None, own: str = __file__) -> None:
        self.notes: list[tuple[Observation, Frame]] = []
        self.followed = Followed()
        self.budget = budget or Budget()
        self.origins = NonFiniteOrigins()
        self.walk = ProgramWalk(
            lambda file: file == own,
            OperationWatch(self._note),
            PrecisionWatch(self._note),
            self.origins,
            self.budget,
            self.followed,
        )

    def _note(self, seen: Observation, place: Frame) -> None:
        self.notes.append((seen, place))

    def run(self, function: Function, *args: Any) -> Values:
        """Evaluate a function for some arguments."""
        self.budget.begin()
        closed = jax.make_jaxpr(function)(*args)
        return self.walk.run_program(closed, jax.tree.leaves(args), None)

    def kinds(self) -> set[type[Observation]]:
        """Return the kinds of what was noted."""
        return {type(seen) for seen, _ in self.notes}


KEY = jax.random.key(0)
X = jax.random.normal(KEY, (5, 4))
Y = jax.random.normal(jax.random.key(1), (4, 5))
INDICES = jnp.array([3, -1, 0, 2])
SQUARE = X @ X.T + 10 * jnp.identity(5)

OPERATIONS: dict[str, Function] = {
    "numbers": lambda x: [
        jnp.sin(x),
        jnp.exp(x),
        jnp.tanh(x),
        jnp.sign(x),
        jnp.floor(x),
        jnp.round(x),
        jax.lax.rsqrt(jnp.abs(x)),
        jnp.cbrt(x),
        jnp.log1p(jnp.abs(x)),
        jnp.exp2(x),
    ],
    "functions": lambda x: [
        jax.nn.gelu(x),
        jax.nn.softmax(x),
        jax.nn.relu(x),
        jax.nn.softplus(x),
        jax.nn.sigmoid(x),
        jax.lax.erf(x),
        jax.scipy.special.gammaln(x + 9),
        jax.scipy.special.digamma(x + 9),
        jax.nn.logsumexp(x),
        jax.nn.log_softmax(x),
    ],
    "reductions": lambda x: [
        x.sum(0),
        x.prod(1),
        x.max(),
        x.min(1),
        x.argmax(1),
        x.argmin(0),
        jnp.cumsum(x, 1),
        jnp.cumprod(x, 0),
        jnp.var(x),
        jnp.median(x),
        jnp.sort(x, 0),
        jnp.argsort(x, 1),
        jnp.any(x > 0),
        jnp.all(x > 0),
        jax.lax.cummax(x, 0),
        jax.lax.cumsum(x, 1, reverse=True),
    ],
    "arithmetic": lambda x: [
        x // 2,
        x % 2,
        x**2,
        x**-2,
        jnp.power(2.0, x),
        jnp.atan2(x, x + 1),
        jnp.where(x > 0, x, -x),
        jnp.clip(x, -1, 1),
        1 / x,
    ],
    "shapes": lambda x: [
        x.T,
        x.reshape(2, 10),
        jnp.pad(x, ((1, 2), (0, 1))),
        x[1:, ::2],
        x[::-1],
        jnp.concatenate([x, x], 1),
        jnp.stack([x, x]),
        jnp.split(x, 2, 1),
        jnp.tile(x, (2, 1)),
        jnp.roll(x, 1, 0),
        x[None],
        jnp.triu(x),
        jnp.identity(3),
    ],
    "products": lambda x: [
        x @ Y,
        jnp.einsum("ij,kj->ik", x, x),
        jnp.outer(x[0], x[1]),
        jnp.einsum("bij,bjk->bik", jnp.stack([x, x]), jnp.stack([Y, Y])),
        jnp.einsum("abc,dc->dab", jnp.stack([x, x]), x),
    ],
    "indices": lambda x: [
        x[INDICES[:3]],
        x[:, INDICES],
        x[jnp.array([0, 1]), jnp.array([2, 3])],
        x.at[0].set(1.0),
        x.at[INDICES].add(2.0),
        x.at[:, 1].mul(3.0),
        x.at[INDICES, 0].max(5.0),
        jax.lax.dynamic_slice(x, (INDICES[0], 0), (2, 2)),
        jnp.take(x, INDICES + 2, axis=0, mode="fill"),
        jnp.take_along_axis(x, jnp.argsort(x, 1), 1),
        jax.ops.segment_sum(x, jnp.array([0, 1, 1, 0, 2]), 3),
        x.at[INDICES + 3].get(mode="fill", fill_value=7.0),
        jax.vmap(lambda row, n: row[n])(x, jnp.arange(5) % 4),
        jax.vmap(lambda row, n: row.at[n].set(9.0))(x, jnp.arange(5) % 4),
    ],
    "dtypes": lambda x: [
        x.astype(jnp.int32),
        x.astype(jnp.bfloat16),
        x.astype(jnp.float16) * 2,
        (x * 1e10).astype(jnp.int32),
        (x * 100).astype(jnp.uint8),
        x.astype(jnp.bfloat16) @ Y.astype(jnp.bfloat16),
    ],
    "integers": lambda _: [
        INDICES // 2,
        INDICES % 3,
        -INDICES // 2,
        INDICES & 3,
        INDICES ^ 5,
        INDICES << 2,
        INDICES >> 1,
        ~INDICES,
        INDICES**2,
        jnp.uint32(7) * jnp.uint32(2654435769),
        jax.lax.rem(INDICES, 3),
        jax.lax.div(INDICES, 2),
    ],
    "control": lambda x: [
        jax.lax.scan(lambda c, r: (c + r.sum(), c), 0.0, x),
        jax.lax.scan(lambda c, r: (c + r.sum(), c * r), 0.0, x, reverse=True),
        jax.lax.fori_loop(0, 10, lambda n, a: a * 1.1 + n, x),
        jax.lax.while_loop(lambda a: a.sum() < 100, lambda a: a * a + 1, x),
        jax.lax.cond(x.sum() > 0, jnp.sin, jnp.cos, x),
        jax.checkpoint(jnp.sin)(x),
    ],
    "mapped loops": lambda x: [
        jax.vmap(lambda a: jax.lax.while_loop(lambda a: a.sum() < 100, lambda a: a * a + 1, a))(x),
        jax.vmap(lambda n: jax.lax.while_loop(lambda a: a < n, lambda a: a + 1, 0))(
            jnp.array([3, 9000, 7000])
        ),
    ],
    "long loops": lambda _: [
        jax.lax.scan(lambda c, r: (c * 0.9 + r, c), 0.0, jnp.arange(5000.0)),
        jax.lax.scan(lambda c, r: (c * 0.9 + r, c), 0.0, jnp.arange(5000.0), reverse=True),
        jax.lax.while_loop(lambda a: a < 30000, lambda a: a + 1, 0),
    ],
    "gradients": lambda x: [
        jax.grad(lambda x: jnp.sum(jnp.tanh(x @ Y) ** 2))(x),
        jax.hessian(lambda v: jnp.sum(v**3))(x[0]),
        jax.grad(lambda x: jnp.sum(x[INDICES[:3]] ** 2))(x),
        jax.jvp(jnp.sort, (x,), (x,)),
    ],
    "linear algebra": lambda x: [
        jnp.linalg.cholesky(SQUARE),
        jnp.linalg.cholesky(jnp.stack([SQUARE, 2 * SQUARE])),
        jnp.linalg.solve(SQUARE, x),
        jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(SQUARE), True), x),
        *(
            jax.lax.linalg.triangular_solve(
                SQUARE,
                x if left else x.T,
                left_side=left,
                lower=lower,
                transpose_a=transposed,
                unit_diagonal=unit,
            )
            for left, lower, transposed, unit in product([False, True], repeat=4)
        ),
        jax.grad(lambda a: jnp.sum(jnp.linalg.cholesky(a)))(SQUARE),
        jax.lax.cumlogsumexp(x, 0),
        jax.lax.cumlogsumexp(x, 1, reverse=True),
        jnp.log2(jnp.abs(x)),
    ],
    "factors": lambda x: [
        *jnp.linalg.eigh(SQUARE),
        *jnp.linalg.eigh(jnp.diag(jnp.array([1.0, 1.0, 2.0]))),
        *jnp.linalg.svd(x, full_matrices=False),
        jnp.linalg.svd(x, compute_uv=False),
        *jnp.linalg.qr(x),
        *jax.scipy.linalg.lu_factor(SQUARE),
        jnp.linalg.inv(SQUARE),
        jnp.linalg.det(SQUARE),
        jnp.linalg.lstsq(x, SQUARE)[0],
        jnp.linalg.pinv(x),
        jax.vmap(jnp.linalg.solve)(jnp.stack([SQUARE, 2 * SQUARE]), jnp.stack([x, x])),
    ],
    "by JAX": lambda x: [
        jax.random.normal(KEY, (3,)),
        jax.lax.conv_general_dilated(
            jnp.ones((1, 3, 8, 8)), jnp.ones((2, 3, 3, 3)), (1, 1), "SAME"
        ),
    ],
}


@pytest.mark.parametrize("function", OPERATIONS.values(), ids=OPERATIONS.keys())
def test_the_second_evaluation_has_the_values_of_the_first(function: Function) -> None:
    """Each operation has the value and the dtype that XLA gives, and its companion agrees."""
    expected = jax.tree.leaves(jax.jit(function)(X))
    walked = Walked()
    for value, wanted in zip(walked.run(function, X), expected, strict=True):
        assert value is not None, walked.followed.left_out
        wanted = np.asarray(wanted)
        assert (wanted.dtype, wanted.shape) == (value.narrow.dtype, value.narrow.shape)
        near = 2e-2 if wanted.dtype.itemsize < 4 else 1e-4
        np.testing.assert_allclose(
            value.narrow.astype(np.float64), wanted.astype(np.float64), near, 1e-5
        )


def test_factors_in_64_bits_are_like_those_of_the_program() -> None:
    """Vectors have the same signs, equal values the same vectors, and rows the same order."""
    for value in Walked().run(OPERATIONS["factors"], X):
        assert value is not None
        assert 0.0 <= value.off < 1e-4
        assert not value.is_same


def multiply(codes: Any) -> Any:
    """Overflow in 32 bits."""
    return codes * 70000


CODES = jnp.arange(40000, 40003)


def with_print(codes: Any) -> Any:
    """Overflow after a debug print."""
    jax.debug.print("{}", codes[0])
    return multiply(codes)


def with_callback(codes: Any) -> Any:
    """Overflow beside a callback with a result."""
    kind = jax.ShapeDtypeStruct((3,), jnp.int32)
    return jax.pure_callback(lambda x: x, kind, codes), multiply(codes)


def with_long_scan(codes: Any) -> Any:
    """Overflow after a scan of many rounds."""
    start = jnp.zeros(())
    total, _ = jax.lax.scan(lambda c, x: (c * 0.5 + x, None), start, jnp.arange(100_000.0))
    return total, multiply(codes)


@pytest.mark.parametrize("function", [multiply, with_print, with_callback, with_long_scan])
def test_what_cannot_be_followed_leaves_the_rest(function: Function) -> None:
    """An overflow is found before and after callbacks, and after a long loop."""
    walked = Walked()
    walked.run(function, CODES)
    assert {Wrapped} == walked.kinds()
    assert ("a callback" in walked.followed.left_out) == (function in (with_print, with_callback))


def test_a_callback_is_not_called_again() -> None:
    """The second evaluation has no effects, also in a loop and a branch."""
    calls: list[Any] = []

    def program(x: Any) -> Any:
        def body(n: Any, x: Any) -> Any:
            jax.debug.callback(calls.append, n)
            return jax.lax.cond(n > 1, lambda x: x + 1, lambda x: x, x)

        return jax.lax.fori_loop(0, 40_000, body, x)

    walked = Walked()
    walked.run(program, 1.0)
    assert not calls
    assert walked.followed.left_out["rounds of a loop"] > 30_000


def test_a_budget_ends_a_walk() -> None:
    """The budget counts equations, so it does not depend on the machine."""
    with pytest.raises(Exhausted):
        Walked(Budget(left=100)).run(
            lambda x: jax.lax.fori_loop(0, 60, lambda n, x: x * 2 + n, x), 1.0
        )


def test_later_calls_have_a_budget_of_their_own() -> None:
    """After it is used up, a program that is new is evaluated as before."""
    walked = Walked(Budget(later=0))
    walked.run(multiply, CODES)
    assert {Wrapped} == walked.kinds()
    walked.budget.is_later = True
    with pytest.raises(Exhausted):
        walked.run(multiply, CODES)


def test_an_overflow_in_a_late_round_is_found() -> None:
    """Rounds are evaluated at the borders of the parts of a long loop, also of a while loop."""
    walked = Walked()
    walked.run(lambda x: jax.lax.fori_loop(0, 50_000, lambda n, x: x ^ n * 70_000, x), 0)
    walked.run(lambda x: jax.lax.while_loop(lambda s: s[0] < 60_000, late, (x, x)), 0)
    assert {Wrapped} == walked.kinds()
    assert len(walked.notes) >= 2


def late(state: Any) -> Any:
    """Count, and multiply the count, which overflows after many rounds."""
    count, total = state
    return count + 1, total ^ count * 70_000


def test_rounds_of_a_loop_are_spread() -> None:
    """A short loop is evaluated whole; of a long one the first rounds and some to the end."""
    assert [(0, 30)] == split_rounds(30, 12)
    parts = split_rounds(10_000, 12)
    assert (0, 12) == parts[0]
    assert 10_000 == parts[-1][1]
    assert all(before[1] < after[0] for before, after in pairwise(parts))


def remainder(x: Any) -> Any:
    """Reduce what wrapped around, on purpose."""
    return (x * 1_103_515_245 + 12345) & 0xFFFF


@pytest.mark.parametrize(
    "function",
    [remainder, lambda x: (x.astype(jnp.uint32) * jnp.uint32(2654435761)) >> 16],
    ids=["masked", "unsigned"],
)
def test_arithmetic_modulo_a_power_of_two_is_meant(function: Function) -> None:
    """What is masked afterwards, and uint32, may wrap around."""
    walked = Walked()
    walked.run(function, jnp.arange(3))
    assert not walked.notes


def test_bytes_that_wrap_around_are_found_where_they_are_used() -> None:
    """A difference of two images of uint8 is not what their floats differ by."""
    walked = Walked()
    dark, bright = jnp.array([10], jnp.uint8), jnp.array([20], jnp.uint8)
    walked.run(lambda a, b: (a - b).astype(jnp.float32), dark, bright)
    assert {Wrapped} == walked.kinds()


def test_digits_that_were_given_and_are_lost_are_certain() -> None:
    """Seconds since 1970 are given as Python's numbers, and differ by less than float32 keeps."""
    walked = Walked()
    walked.run(lambda now, then: now - then, 1_770_000_000.75, 1_770_000_000.0)
    assert [DigitsLost("0.75 in 64 bits, 0 in float32", "float32", "1770000000.75", True)] == [
        seen for seen, _ in walked.notes
    ]


def test_a_difference_that_is_scaled_up_is_worth_a_look() -> None:
    """A difference quotient divides what is left by a small number."""
    walked = Walked()
    walked.run(lambda x: (jnp.sin(x + 1e-6) - jnp.sin(x)) / 1e-6, 1.0)
    assert [False] == [seen.is_given for seen, _ in walked.notes if isinstance(seen, DigitsLost)]


@pytest.mark.parametrize(
    "function",
    [
        lambda x: jnp.sum(x - x.mean()),
        lambda x: jnp.max(jnp.abs(x @ x.T - (x @ x.T).T)),
        lambda x: jnp.linalg.norm(SQUARE @ jnp.linalg.solve(SQUARE, x) - x),
        lambda x: jax.lax.scan(lambda c, _: (3.9 * c * (1 - c), c), x[0, 0] % 1, None, 200),
        lambda x: 0.1 + 0.2 - 0.3 + x.sum(),
    ],
    ids=["mean", "symmetry", "residual", "chaos", "tenths"],
)
def test_what_vanishes_or_diverges_by_rounding_is_silent(function: Function) -> None:
    """Rounding errors are all that remains of a converged residual, and grow in chaos."""
    walked = Walked()
    walked.run(function, X)
    assert not walked.notes


def test_a_state_in_half_precision_that_stands_still_is_found_over_calls() -> None:
    """Each step adds less than half of the last digit of bfloat16."""
    walked = Walked()
    params = jnp.full((8,), 10.0, jnp.bfloat16)
    step = jax.make_jaxpr(lambda p: p + jnp.bfloat16(0.001))(params)
    for _ in range(4):
        walked.budget.begin()
        walked.walk.run_program(step, [params], None)
    assert [StateStays("bfloat16", "100 %")] == [seen for seen, _ in walked.notes]


@pytest.mark.parametrize(("start", "expected"), [(1e9, {SumStays}), (0.0, set())])
def test_a_clock_that_stands_still_is_found_in_its_loop(start: float, expected: set[type]) -> None:
    """Half a second is lost beside a billion."""
    walked = Walked()
    walked.run(lambda t: jax.lax.fori_loop(0, 20, lambda _, t: t + 0.5, t), start)
    assert expected == walked.kinds()


def test_an_iteration_that_has_converged_is_silent() -> None:
    """The changes get smaller until there are none."""
    walked = Walked()
    walked.run(lambda x: jax.lax.fori_loop(0, 60, lambda _, x: 0.5 * (x + 2 / x), x), 1.0)
    assert not walked.notes


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda total, lost, x: (total + x, lost), True),
        (lambda total, lost, x: ((total.astype(jnp.float32) + x).astype(jnp.bfloat16), lost), True),
        (lambda total, lost, x: (total * 0.9 + x, lost), False),
        (lambda total, lost, x: ((new := total + x - lost), new - total - x), False),
        (lambda total, lost, x: (x, lost), False),
    ],
)
def test_a_sum_adds_to_its_input_and_makes_up_for_nothing(
    function: Function, expected: bool
) -> None:
    """A running average arrives somewhere, and a compensated sum keeps what it rounds away."""
    zero = jnp.bfloat16(0)
    jaxpr = jax.make_jaxpr(function)(zero, zero, jnp.bfloat16(1)).jaxpr
    assert expected == is_sum(jaxpr, 0, 0)


def test_late_calls_are_due_after_a_state_stood_still() -> None:
    """The state is read in pairs of calls, four times until the count of calls has doubled."""
    late = LateCalls()
    due = []
    for call in range(1, 400):
        late.take(call, [(0, np.float16(min(call, 300)))])
        if late.is_due(call):
            due.append(call)
    assert [321, 322, 323, 324, 385, 386, 387, 388] == due
