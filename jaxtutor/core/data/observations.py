"""Defines what is observed in a run that raises nothing: a struct for each kind of observation."""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

from jaxtutor.core.data.failures import Leak
from jaxtutor.core.data.positions import Frame

Shape = tuple[int, ...]
SoftmaxUse = Literal["single", "summed", "picked"]
OneValueForm = Literal["axis", "saturated", "bound", "cut", "lost"]
Exchange = Literal["moved", "split", "joined"]
Unmoved = Literal["", "gradient", "update", "rate"]
"""Why a parameter did not move: its gradient is zero, its update is, or the rate; or unknown."""
CopyForm = Literal["", "gradient", "block"]
LostForm = Literal["", "returned", "carried"]
"""How an argument is treated whose new value is lost: it is not returned, or as it is, by a
function or by the body of a loop."""


def _tag(name: str) -> str:
    """Return the kind of an observation from the name of its class."""
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


class _Observation(Struct, frozen=True, kw_only=True, tag_field="kind", tag=_tag):
    """A cause observed while a program ran without raising: evidence for a finding.

    `check` names the check that has to fail for it to be a mistake, if there is one.
    """

    frame: Frame | None = None
    check: str = ""

    @property
    def kind(self) -> str:
        """The kind, as it is called in an encoded observation."""
        return str(self.__struct_config__.tag)


class KeyReuse(_Observation, frozen=True):
    """A draw from a key that was drawn from before: in line `first`, or at the same place.

    `is_split` says that the key was drawn from first, and is split now. `other` is what the same
    key was called before, if that is another expression.
    """

    name: str = ""
    first: int | None = None
    is_split: bool = False
    other: str = ""


class KeyAgain(_Observation, frozen=True):
    """A call that is given the same key each time that it runs."""

    name: str


class KeyKept(_Observation, frozen=True):
    """A call of a compiled step that was given new arrays each time, and the same key.

    `is_dropped` says that the function advances a counter beside the key, and does not return it.
    """

    name: str
    is_dropped: bool = False


class KeyCaptured(_Observation, frozen=True):
    """A draw from a key that a compiled step holds: each call of `function` got new arrays."""

    function: str


class KeyTwice(_Observation, frozen=True):
    """A call that is given a key which another call, in line `first`, was given before.

    `is_traced` says that the function was being traced.
    """

    name: str
    first: int
    is_traced: bool = False


class KeyForAll(_Observation, frozen=True):
    """A draw in a mapped function from a key that is not mapped.

    `mapped` are the variables of the function that are. `is_dropout` says that a layer of dropout
    draws, and the place is the call of the mapped function. So it is if a function of another
    library draws, `library`.
    """

    mapped: tuple[str, ...] = ()
    is_dropout: bool = False
    library: str = ""


class KeyForLeaves(_Observation, frozen=True):
    """A draw for each leaf of a tree, from the same key."""

    name: str


class EqualKeys(_Observation, frozen=True):
    """A call of a mapped function with an array of `times` equal keys."""

    times: int


class SeedForRows(_Observation, frozen=True):
    """A key of a constant seed from which all rows of a mapped function draw, at `drawn`.

    `default` is the line of the field whose default it is; then the place is the call that leaves
    the field out. `is_shared` says that the rows share the key, and do not have equal ones each.
    """

    drawn: Frame
    default: int | None = None
    is_shared: bool = False


class SameSeed(_Observation, frozen=True):
    """An expression that made several keys from one seed, all before one of them was used.

    `detail` is how many it made.
    """

    detail: str


class KeyInLoop(_Observation, frozen=True):
    """A draw in a compiled loop from a key that is the same in each iteration.

    `is_librarys` says that another library draws, in a call of the learner's.
    """

    is_librarys: bool = False


class _ChangedValue(_Observation, frozen=True):
    """A value that a compiled function read in addition to its arguments, and that changed.

    `is_renewed` says that the function was compiled again since then, and read the new value.
    """

    name: str
    is_renewed: bool = False


class StaleGlobal(_ChangedValue, frozen=True):
    """A variable that a compiled function read and that changed."""


class StaleItem(_ChangedValue, frozen=True):
    """An entry of a dict that a compiled function read and that changed."""


class StaleAttribute(_ChangedValue, frozen=True):
    """An attribute of a global object that a compiled function read and that changed."""


class MutatedStatic(_ChangedValue, frozen=True):
    """An attribute of a static argument that changed."""


class MutatedBound(_ChangedValue, frozen=True):
    """An attribute of the object whose method was compiled, that changed."""


class CapturedChange(_Observation, frozen=True):
    """A read of `name` in a compiled function that was called again when its value had changed.

    The value was `detail` when the function was compiled, and is `argument` now.
    """

    name: str
    detail: str
    argument: str


class _TracedAgain(_Observation, frozen=True):
    """A function that was traced several times, and compiled `same` times to one program."""

    name: str
    times: int
    same: int


class NewCallable(_TracedAgain, frozen=True):
    """A function that was compiled again because it was a new object in each call."""


class StaticChange(_TracedAgain, frozen=True):
    """A function that was compiled again because a static argument had another value."""


class _ChangedArgument(_TracedAgain, frozen=True):
    """A call of a function that was traced several times, because of one argument."""

    argument: str


class StaticNumber(_ChangedArgument, frozen=True):
    """A call in which a static number differed each time."""


class StaticFunction(_ChangedArgument, frozen=True):
    """A call in which a static argument was a new, equal function each time."""


class GrowingShape(_ChangedArgument, frozen=True):
    """A call in which an axis of an argument was `step` longer each time."""

    first: Shape
    last: Shape
    step: int


class VaryingShape(_ChangedArgument, frozen=True):
    """A call in which an axis of an argument had many lengths."""

    first: Shape
    last: Shape


class CompiledAgain(_Observation, frozen=True):
    """A place at which JAX compiled its own functions `times` times."""

    times: int


class WrappedAgain(_Observation, frozen=True):
    """A call for which a library's `jit` compiled the same program `times` times."""

    times: int


class LoopCompiledAgain(_Observation, frozen=True):
    """A call outside of compiled functions for which JAX compiled the same loop `times` times.

    `is_branch` says that it is a choice between branches instead.
    """

    times: int
    is_branch: bool = False


class EagerCalls(_Observation, frozen=True):
    """A call of a function, which ran `times` times at least, outside of compiled programs.

    It got arrays of the same shapes each time, and `start` is its first operator.
    """

    name: str
    start: Frame
    times: int


class TimedCall(_Observation, frozen=True):
    """A clock read, after one at `start`, with calls of programs in between, the last at `call`.

    Nothing waited for their results; or, if `is_compiled`, each of the `times` programs was called
    for the first time in between.
    """

    start: Frame
    call: Frame
    is_compiled: bool = False
    times: int = 1


class HostRead(_Observation, frozen=True):
    """A place that read the values of arrays `times` times, and waited for them.

    `waited` and `spent` are seconds, the latter from the first read to the last.
    """

    times: int
    waited: float
    spent: float


class HostRandom(_Observation, frozen=True):
    """A random number of Python or NumPy that was drawn while tracing."""

    name: str


class HostTime(_Observation, frozen=True):
    """A time that was read while tracing."""

    name: str


class TracerPrinted(_Observation, frozen=True):
    """A `print` of a tracer."""


class DebugFormat(_Observation, frozen=True):
    """A `jax.debug.print` of a text that a tracer was formatted into before."""


class IteratorAdvanced(_Observation, frozen=True):
    """A `next` while tracing, of an iterator from outside the function."""

    name: str


class ItemTaken(_Observation, frozen=True):
    """A call of `item` on a tracer of `jax.grad`."""


class Float64Truncated(_Observation, frozen=True):
    """A request for float64 that gave float32."""


class IntUpdate(_Observation, frozen=True):
    """An update of an integer array with floats."""


class FractionCut(_Observation, frozen=True):
    """A conversion of fractions to integers."""


class IntegersCut(_Observation, frozen=True):
    """A conversion of integers that changed them: from the dtype `aval` to `name`, of 32 bits."""

    detail: str
    aval: str
    name: str


class IntegersRounded(_Observation, frozen=True):
    """A conversion of integers to `aval`, of 16 bits or less, that changed them."""

    detail: str
    aval: str


class DifferencesLost(_Observation, frozen=True):
    """A conversion to float32 that lost the differences between neighbours."""

    detail: str


class BufferChanged(_Observation, frozen=True):
    """A call of `jax.device_put` of which several buffers changed while their arrays were kept."""

    times: int


class Wrapped(_Observation, frozen=True):
    """Integer arithmetic that wrapped around."""

    aval: str


class NearlyEqual(_Observation, frozen=True):
    """A comparison of floats that differ by rounding only; `is_later` in a later call only."""

    is_later: bool = False


class SumStays(_Observation, frozen=True):
    """A sum that stayed the same although something was added.

    `name` is the argument of a compiled function that is the sum; empty if it is not one.
    """

    aval: str
    name: str = ""


class StateStays(_Observation, frozen=True):
    """A state that mostly stayed the same each time it was updated; `detail` is the share."""

    aval: str
    detail: str


class DigitsLost(_Observation, frozen=True):
    """An operation whose result has no right digit, while its operands are right.

    `detail` has the result in 64 bits and in the dtype `aval`, `argument` the largest operand.
    `is_given` says that the program was given the digits, as numbers of 64 bits, and lost them.
    """

    detail: str
    aval: str
    argument: str
    is_given: bool = False


class HalfSum(_Observation, frozen=True):
    """An addition to a number of half precision in a loop with too many iterations."""

    aval: str


class HalfPromoted(_Observation, frozen=True):
    """An operation that turned the half-precision type `aval` into float32, for its other operand.

    `times` further operands in half precision then met the result, and became float32. `argument`
    is the input that the other operand is, or comes from; empty for a constant.
    """

    aval: str
    times: int
    argument: str = ""


class HalfOverflow(_Observation, frozen=True):
    """A float16 operation that overflowed."""


MatrixDefect = Literal["indefinite", "singular", "repeated"]
"""Why a matrix has no factors, no solution, or no derivative of its vectors."""


LostOperand = Literal["wrapped", "underflow", "rounded"]
"""How an operand lost what it is in 64 bits."""


class NotFinite(_Observation, frozen=True):
    """An operation that made a value that is not finite, and that reached a result.

    `detail` is the operation with its numbers, such as `log(0) is -inf`, if they are known. Of an
    operation on a matrix it is what `defect` the matrix has, in numbers. An operand is `argument`
    in 64 bits, and it was `lost` in the dtype `aval` by the operation `primitive` at `lost_at`.
    `is_gradient` says that a derivative is computed there.
    """

    detail: str = ""
    defect: MatrixDefect | None = None
    lost: LostOperand | None = None
    argument: str = ""
    aval: str = ""
    lost_at: Frame | None = None
    primitive: str = ""
    is_gradient: bool = False


class PrintedNotFinite(_Observation, frozen=True):
    """A `print` of a value that is not finite, for an unknown reason."""


class NanGradient(_Observation, frozen=True):
    """An operation of a gradient that made a NaN."""

    primitive: str


class InfGradient(_Observation, frozen=True):
    """An operation of a gradient that made an infinity."""

    primitive: str


class ZeroGradient(_Observation, frozen=True):
    """An operation that lets no gradient through, to some weights only if they are given."""

    primitive: str
    weights: str = ""


class IndependentResult(_Observation, frozen=True):
    """A result that does not depend on the `argument` of its function that a gradient is of.

    `name` is the function; both are empty if a library's function is differentiated. At `dropped`,
    something is computed from the argument, and no result depends on it.
    """

    name: str
    argument: str
    dropped: Frame | None = None


class SumKept(_Observation, frozen=True):
    """An addition to a sum that updates were made with, and that had not been cleared after them.

    The last of these updates came after `times` additions. It `is_certain` if an optimizer made
    the updates.
    """

    times: int
    is_certain: bool


class GradientLeftOut(_Observation, frozen=True):
    """A rule of a function `name` that leaves out the gradient of an argument.

    The function depends on it, and the rule is the derivative for the others. `position` counts
    the arguments of which a rule of `custom_vjp` returns a gradient; None for one of `custom_jvp`.
    `is_computed` says that the argument was computed, and is not an input. Of `weights`, the whole
    gradient is zero at random values.
    """

    name: str
    argument: str
    position: int | None
    is_computed: bool
    weights: str = ""


class OutOfBounds(_Observation, frozen=True):
    """A lookup with an index that is out of range.

    `library` is the function that looked up, if it is not the learner's. `is_from_one` says that
    the indices go from 1 to the size, as numbers that count from 1 do.
    """

    index: int
    size: int
    library: str = ""
    is_from_one: bool = False


class SliceMoved(_Observation, frozen=True):
    """A slice that begins at `index`, and that JAX moved because it does not fit there."""

    index: int


class SameIndexTwice(_Observation, frozen=True):
    """An update with an index that occurs twice."""


class RankPromotion(_Observation, frozen=True):
    """A column that met a row of the same length, at a site of NumPyro if `site` is given.

    `observed` says which of them are the values that the site observes: the column or the row.
    """

    shapes: str
    site: str = ""
    observed: Literal["", "column", "row"] = ""


class SquarePromotion(_Observation, frozen=True):
    """A square matrix that met a row of the same length."""

    shapes: str


class MappedSquare(_Observation, frozen=True):
    """A call of a mapped function with square arguments at some positions, without `in_axes`."""

    positions: tuple[int, ...]


class ObservedRepeated(_Observation, frozen=True):
    """A site of NumPyro whose observed values were repeated from one shape to a larger one."""

    site: str
    observed: str
    shape: str


class SoftmaxAxis(_Observation, frozen=True):
    """A softmax over an axis of length 1, or over another one than is summed or picked from."""

    form: SoftmaxUse


class AxesMixed(_Observation, frozen=True):
    """A reshape that exchanges axes: from a shape to another.

    It moves the axes, or splits or joins one on the way, as for the heads of attention.
    """

    first: str
    last: str
    form: Exchange


class ChannelsFirst(_Observation, frozen=True):
    """A convolution of images whose shape, `detail`, has the channels first."""

    detail: str


class Unrolled(_Observation, frozen=True):
    """An expression that made `times` equations of one program."""

    times: int


class LargeResult(_Observation, frozen=True):
    """A result that is much larger than the inputs and outputs of its program."""

    aval: str


class RankCut(_Observation, frozen=True):
    """A threshold that leaves out singular values which are not rounding errors.

    It keeps `detail`. The largest one that it leaves out is `argument`, the largest of all `name`.
    """

    detail: str
    argument: str
    name: str


class CallbackUnread(_Observation, frozen=True):
    """A `jax.pure_callback` whose result reaches no result of its program."""


class EffectForAll(_Observation, frozen=True):
    """An effect in a mapped branch that is meant for `count` examples and happens for all `among`.

    In a loop, `is_loop`, it is a round that goes on for so many of them.
    """

    count: int
    among: int
    is_loop: bool = False


class StackForLast(_Observation, frozen=True):
    """A scan of `times` rounds whose stacked results are read for their last entry only.

    `detail` is the size of the stack and `aval` its type. If it `is_returned`, the program itself
    does not read it, and its caller gets it.
    """

    detail: str
    aval: str
    times: int
    is_returned: bool = False


class StateLost(_Observation, frozen=True):
    """A new value for an argument of a compiled function, that the function does not return.

    If it returns the argument as it is, the place is in the function `name` itself.
    """

    argument: str
    aval: str
    name: str = ""
    form: LostForm = ""


class ValueUnread(_Observation, frozen=True):
    """An expression whose value, assigned to a variable, no result of a program depends on."""

    name: str


class Unwritten(_Observation, frozen=True):
    """Elements of an output of a Pallas kernel that no step of its grid writes.

    `detail` says how many, `argument` is the first and `aval` the type of the output. In the step
    `condition`, the index map gave the block `name`, outside of the array. `is_partly` says that
    the place is a write of a part of a block.
    """

    detail: str
    argument: str
    aval: str
    condition: str = ""
    name: str = ""
    is_partly: bool = False


class Overwritten(_Observation, frozen=True):
    """A write in a Pallas kernel of a whole block that a later step writes again.

    `detail` says in how many steps of all.
    """

    detail: str


class CopiesDiffer(_Observation, frozen=True):
    """An operation that makes a result differ from device to device, though it is declared equal.

    The copies of the result at `path`, and of `times` results in all, are `apart` along the mesh
    axis. The operation is a gradient of one block, or a sum over one `block`, or another one.
    """

    path: str
    apart: str
    axis: str
    mapped: str
    times: int
    form: CopyForm


class NoneReturned(_Observation, frozen=True):
    """A function that returned None where an example states an answer."""


class NoneForLeaves(_Observation, frozen=True):
    """A function that `jax.tree.map` called at `mapped`, and that returned None for some arrays.

    Of the `among` leaves there were `count`, the first at `path`. For others it returned arrays.
    """

    path: str
    count: int
    among: int
    mapped: Frame | None = None


class LeafLost(_Observation, frozen=True):
    """A call whose second time got None at a `path` of the variable `name`, and the first did not.

    So did `count` leaves of it. The first time there was a function or, else, an array.
    """

    name: str
    path: str
    count: int
    is_function: bool


class AnsweredFalse(_Observation, frozen=True):
    """A statement that drops the answer of a call, and to which one object answered False.

    It answered nothing else to its `times` calls there.
    """

    times: int


class StateRepeated(_Observation, frozen=True):
    """A step that got the same `argument` in `times` calls, and returned a new one in each.

    No later call got one of those, though other results went into the next call. The new ones are
    at `path` in what the step returns: (0, 1) for `result[0][1]`.
    """

    argument: str
    times: int
    path: tuple[int, ...]


class NeverChanged(_Observation, frozen=True):
    """A call whose parameters `names`, with more of them `count` of `among`, never changed.

    They had their first value after `times` calls, while others of their tree had changed.
    `is_last` says that they are read after all others, as the last layer of a model is.
    """

    names: tuple[str, ...]
    count: int
    among: int
    times: int
    reason: Unmoved = ""
    is_last: bool = False


class CameApart(_Observation, frozen=True):
    """A call whose parameters `first` and `second` were one array at first, and then two."""

    first: str
    second: str
    times: int


class EqualMembers(_Observation, frozen=True):
    """A call whose parameter `name` held `count` equal entries at first, and other ones later.

    So did `times` parameters in all.
    """

    name: str
    count: int
    times: int


class MovedWithoutGradient(_Observation, frozen=True):
    """A call whose parameter `name` changed in `times` calls, though its gradient is zero."""

    name: str
    times: int


class StateRestarted(_Observation, frozen=True):
    """A call that got the first state of an optimizer again `times` times in `calls` calls.

    The parameters `argument` went on from call to call.
    """

    name: str
    argument: str
    times: int
    calls: int


class OtherCopyTrained(_Observation, frozen=True):
    """A call that got the same tree `name` in `times` calls, and returned its copy changed.

    The copy, `argument`, began with the same values, and only its own update reads it.
    """

    name: str
    argument: str
    times: int


class SumUsedEarly(_Observation, frozen=True):
    """A call whose sum of gradients `name` was zero again after `first` calls, then every `times`.

    `left` calls were added to it after it was zero for the last time.
    """

    name: str
    first: int
    times: int
    left: int


class BestStays(_Observation, frozen=True):
    """A comparison of the best number so far, `name`, with a new one that was always `value`.

    It was looked at in `rounds` rounds of a loop, or calls of a step; other values changed in them.
    """

    name: str
    value: str
    rounds: int


class OneValue(_Observation, frozen=True):
    """An operation `name` that gave one `value` for each element, although its operands vary.

    It did so in `calls` calls, with `elements` elements in all; no other call gave another value.
    """

    name: str
    form: OneValueForm
    value: str
    elements: int
    calls: int


class NoMinimum(_Observation, frozen=True):
    """A gradient whose leaf at `path` has one that does not depend on the leaf's value.

    Of `times` steps, all went along it in one direction. There are `count` such leaves.
    """

    path: str
    count: int
    times: int


class StepsUp(_Observation, frozen=True):
    """A gradient along which all of `times` steps went, and that grew by a factor meanwhile."""

    growth: str
    times: int


class StayAlike(_Observation, frozen=True):
    """A gradient whose leaves are alike in the `count` units of a layer, in value and gradient.

    The leaf at `path` is what the units receive by, the one at `other` what they give by.
    """

    path: str
    other: str
    count: int


class NotConjugated(_Observation, frozen=True):
    """A gradient whose complex leaf at `path` moved along it, and not along its conjugate."""

    path: str


class RowsMixed(_Observation, frozen=True):
    """A call with an array of `among` rows, of which `count` never were in a batch of a step.

    The function `name` is the step. Its batches had the other rows `times` times each, on average.
    """

    name: str
    count: int
    among: int
    times: int


class MeansOfBatches(_Observation, frozen=True):
    """A call of the function `name`, which returns a mean over the rows of what it is given.

    It was given `rows` rows several times, and `fewest` rows, too.
    """

    name: str
    rows: int
    fewest: int


class LeakedTracer(_Observation, frozen=True):
    """A tracer that was alive after its transformation had ended."""

    leak: Leak


ChangedValue = StaleGlobal | StaleItem | StaleAttribute | MutatedStatic | MutatedBound
ChangedArgument = StaticNumber | StaticFunction | GrowingShape | VaryingShape

Observation = (
    KeyReuse
    | KeyAgain
    | KeyKept
    | KeyCaptured
    | KeyTwice
    | KeyForAll
    | KeyForLeaves
    | EqualKeys
    | SeedForRows
    | KeyInLoop
    | SameSeed
    | ChangedValue
    | CapturedChange
    | NewCallable
    | StaticChange
    | ChangedArgument
    | CompiledAgain
    | WrappedAgain
    | LoopCompiledAgain
    | TimedCall
    | EagerCalls
    | HostRead
    | HostRandom
    | HostTime
    | TracerPrinted
    | DebugFormat
    | IteratorAdvanced
    | ItemTaken
    | Float64Truncated
    | IntUpdate
    | FractionCut
    | IntegersCut
    | IntegersRounded
    | DifferencesLost
    | BufferChanged
    | Wrapped
    | NearlyEqual
    | SumStays
    | HalfSum
    | StateStays
    | DigitsLost
    | HalfPromoted
    | HalfOverflow
    | NotFinite
    | PrintedNotFinite
    | NanGradient
    | InfGradient
    | ZeroGradient
    | IndependentResult
    | SumKept
    | GradientLeftOut
    | OutOfBounds
    | SliceMoved
    | SameIndexTwice
    | RankPromotion
    | SquarePromotion
    | MappedSquare
    | ObservedRepeated
    | SoftmaxAxis
    | AxesMixed
    | ChannelsFirst
    | Unrolled
    | LargeResult
    | RankCut
    | CallbackUnread
    | EffectForAll
    | StackForLast
    | StateLost
    | ValueUnread
    | Unwritten
    | Overwritten
    | CopiesDiffer
    | NoneReturned
    | NoneForLeaves
    | LeafLost
    | AnsweredFalse
    | StateRepeated
    | NeverChanged
    | CameApart
    | EqualMembers
    | MovedWithoutGradient
    | StateRestarted
    | OtherCopyTrained
    | SumUsedEarly
    | BestStays
    | OneValue
    | NoMinimum
    | StepsUp
    | StayAlike
    | NotConjugated
    | RowsMixed
    | MeansOfBatches
    | LeakedTracer
)


def kind_of(type_: type[Observation]) -> str:
    """Return the kind of the observations of a type."""
    return str(type_.__struct_config__.tag)
