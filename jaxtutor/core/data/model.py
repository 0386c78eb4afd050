"""Defines the data that the shell, the core and the worker exchange.

Lines count from 1. Columns count characters from 0, as `ast` does for ASCII source, and
`end_column` is exclusive. Everything here is frozen and can be sent over a pipe.
"""

from __future__ import annotations

from math import prod
from typing import Literal

from msgspec import Struct

from jaxtutor.core.data.lessons import Block
from jaxtutor.core.data.predictions import Asks
from jaxtutor.core.vocabulary import Property

# ---------------------------------------------------------------- positions


class Span(Struct, frozen=True):
    """A range of source text."""

    line: int
    column: int
    end_line: int
    end_column: int


class Frame(Struct, frozen=True):
    """One level of a traceback, in a file of the learner's.

    `span` is the exact expression that was being evaluated, or the whole line if Python does not
    record the expression.
    """

    file: str
    function: str
    span: Span


# ---------------------------------------------------------------- failures as data


class Step(Struct, frozen=True):
    """One step of an origin: the expression that created a traced value, and its type.

    The first step of an origin is an argument of the traced function. Its `expression` is the
    argument's name, and its `span` the parameter in the signature, or None if unknown.
    `aval` is formatted as JAX formats it: `float32[3]`.
    """

    expression: str
    aval: str
    file: str | None = None
    span: Span | None = None


class NameFact(Struct, frozen=True):
    """What a name or dotted path in the failing frame referred to when the failure happened.

    `kind` is one of tracer, array (a jax.Array), ndarray, list, tuple, dict, set, str, number,
    none, module, function, class, typed_key, other, missing. `detail` is, by kind: the aval of a
    tracer, array or ndarray (`float32[3]`, weak types with a leading `~` as JAX writes them); the
    defining dotted path of a module, function or class (`numpy.sin`, `jax.numpy`, `math.exp`); the
    length of a container; otherwise the dotted path of the class. `bases` are the dotted paths of
    the classes that an object's class derives from, where these are a library's or the learner's.
    """

    name: str
    kind: str
    detail: str = ""
    own: bool = False  # a function or class that the learner's files define
    bases: tuple[str, ...] = ()


class Leak(Struct, frozen=True):
    """A tracer that outlived its trace, and the object that still references it.

    `holder` is the kind of that reference: list, dict, set, attribute, global, closure, generator,
    cache or unknown. `path` is the reference as the learner would write it (`acts`, `self.h`,
    `CACHE`).
    """

    aval: str
    created: Frame | None
    holder: str
    path: str
    function: str  # the function that was being traced
    transformation: str  # jit, vmap, grad, …


class DocumentedParameter(Struct, frozen=True):
    """What a library's docstring says of a parameter of the function that a call reached.

    The name `return`, which no parameter can have, stands for what the function returns.
    """

    function: str
    name: str
    text: str


class LibraryCheck(Struct, frozen=True):
    """The condition under which a library raised, or the expression that failed in it.

    `kind` is raises, for a condition that held, requires, for one that did not, or computes.
    `values` describe the names in the condition, in words that can follow "is". `given` maps those
    that are the learner's arguments to the expressions that passed them.
    """

    function: str
    condition: str
    kind: Literal["raises", "requires", "computes"]
    values: dict[str, str] = {}
    given: dict[str, str] = {}


class Failure(Struct, frozen=True):
    """An exception that the learner's code raised, as data.

    `frames` contains only the learner's frames, outermost first. `bases` are the names of the
    classes in the exception's MRO. `jax_frames` are the dotted names of the library functions
    between the learner's last frame and the raise, outermost first (`jax.numpy.tile`). `linked` is
    the exception's cause or context.
    """

    error_class: str
    bases: tuple[str, ...]
    message: str
    frames: tuple[Frame, ...] = ()
    module: str = ""  # of the class: jax.errors, builtins, …
    jax_frames: tuple[str, ...] = ()
    transformation: str | None = None  # jit, grad, vmap, scan, …: the innermost being traced
    traced_function: str | None = None
    tracer: str | None = None  # the aval of the offending tracer
    origin: tuple[Step, ...] = ()
    names: tuple[NameFact, ...] = ()  # in the learner's innermost frame
    call_names: tuple[tuple[NameFact, ...], ...] = ()  # of each frame, as in `frames`
    linked: Failure | None = None
    leak: Leak | None = None  # set if the offending tracer had outlived its trace
    signature: tuple[str, ...] = ()  # parameters of the function that refused an argument
    documentation: tuple[DocumentedParameter, ...] = ()  # of the library's function that was called
    keys: tuple[str, ...] = ()  # of the dict that lacked one
    holders: tuple[str, ...] = ()  # places of the items that have what was looked for: `[1][0]`
    trail: tuple[str, ...] = ()  # what passes the object that was refused, in each of `frames`
    passed: tuple[NameFact, ...] = ()  # arguments of the call that are not names, by their text
    check: LibraryCheck | None = None


class Observation(Struct, frozen=True):
    """A cause observed while a program ran without raising: evidence for a finding.

    `kind` is what was observed (leak, retrace, key_reuse, …), `facts` its details.
    """

    kind: str
    frame: Frame | None = None
    facts: dict[str, str] = {}
    leak: Leak | None = None


class Fix(Struct, frozen=True):
    """An edit that may fix the program; `verified` only after it ran.

    `source` is the whole edited file; `edits` has every file that is edited, by its path.
    `compared` says whether its results could be compared with what is right. `only_numbers_change`
    says of a fix of a finding that nothing else differs from the run before.
    """

    diff: str
    verified: bool
    source: str = ""
    edits: dict[str, str] = {}
    compared: bool = True
    only_numbers_change: bool = False


class Diagnosis(Struct, frozen=True):
    """A named mistake at a position. `error_class` is None for a finding.

    `line` is where the learner must change something. If the exception was raised elsewhere,
    `raised_at` is that position.
    """

    error_class: str | None
    message: str
    cause: str | None
    file: str
    span: Span | None
    expression: str
    summary: str
    advice: str
    origin: tuple[Step, ...] = ()
    raised_at: Frame | None = None
    raised_expression: str = ""
    fix: Fix | None = None


# ---------------------------------------------------------------- values


_SIZES = {"?": 1, "b": 1, "B": 1, "h": 2, "H": 2, "i": 4, "I": 4, "q": 8, "Q": 8, "f": 4, "d": 8}
"""Bytes of one number by its `struct` character."""


class ArrayValue(Struct, frozen=True, tag="array"):
    """An array by value. `data` are its bytes in C order; None if abstract or larger than the cap.

    `format` is the `struct` character of one number in `data` (narrow floats are sent as `f`).
    Complex numbers are sent as pairs of `f` or `d`; `pairs` is then True.
    """

    shape: tuple[int, ...]
    dtype: str
    weak: bool
    format: str = "f"
    pairs: bool = False
    data: bytes | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for bytes that are not such an array: they come from a submission."""
        if self.data is None:
            return
        size = _SIZES.get(self.format, 0) * (2 if self.pairs else 1)
        if not size or len(self.data) != prod(self.shape) * size:
            raise ValueError(f"{len(self.data)} bytes are not an array of shape {self.shape}")


class AtomValue(Struct, frozen=True, tag="atom"):
    """A value that is not an array: the name of its class and a capped `repr`."""

    kind: str
    text: str


class Leaf(Struct, frozen=True):
    """One leaf of a pytree; `path` is formatted by JAX's `keystr`."""

    path: str
    value: ArrayValue | AtomValue


class Tree(Struct, frozen=True):
    """A pytree of values; `structure` is its treedef, as text."""

    structure: str
    leaves: tuple[Leaf, ...]


# ---------------------------------------------------------------- jaxprs


class Var(Struct, frozen=True, tag="var"):
    """A variable of a jaxpr; `id` is unique within the outermost jaxpr."""

    id: int
    dtype: str
    shape: tuple[int, ...]
    weak: bool = False


class Lit(Struct, frozen=True, tag="lit"):
    """A literal operand, as JAX prints it."""

    text: str


class Equation(Struct, frozen=True):
    """One equation. `params` are printed; params that are jaxprs are in `inner` instead."""

    primitive: str
    outs: tuple[Var, ...]
    ins: tuple[Var | Lit, ...]
    params: tuple[tuple[str, str], ...] = ()
    inner: tuple[tuple[str, Jaxpr], ...] = ()
    line: int | None = None  # in the learner's file


class Jaxpr(Struct, frozen=True):
    """A jaxpr as data; `consts` are the arrays it captured."""

    ins: tuple[Var, ...]
    outs: tuple[Var | Lit, ...]
    equations: tuple[Equation, ...]
    consts: tuple[Var, ...] = ()


# ---------------------------------------------------------------- requests and facts


class CheckRequest(Struct, frozen=True, tag="check"):
    """Run `source` as the submission for the lesson whose folder is `lesson_dir`.

    `file` is the path shown in frames; it is not read. `programs` is the folder of the
    compilation cache; if empty, everything is compiled. With `export`, the programs that gave the
    answers are sent as well, for a meter to run.
    """

    lesson_dir: str
    function: str
    file: str
    source: str
    seed: int = 0
    programs: str = ""
    export: bool = False


class DevicesRequest(Struct, frozen=True, tag="devices"):
    """List the devices that JAX can use."""


class ProseRequest(Struct, frozen=True, tag="prose"):
    """Run the Python blocks of a page in order, as one session.

    Blocks that are only shown are compared with the lesson: its `EXAMPLES`, and its `solution`.
    """

    file: str
    blocks: tuple[Block, ...]
    function: str = ""
    solution: str = ""


class PredictRequest(Struct, frozen=True, tag="predict"):
    """Run a question's program and examine `of`, an expression or the name of a function."""

    asks: Asks
    code: str
    of: str


ProgramKind = Literal["script", "module", "command", "notebook"]


class ScriptRequest(Struct, frozen=True, tag="script"):
    """Run a learner's own program as Python would.

    That is `python NAME`, `python -m NAME` or `python -c SOURCE`; a notebook's cells run in order.
    `file` is the file's full path, empty for a module, which the worker finds. `source` replaces
    the contents of the file, and `edits` those of other files. Without `jit`, every operation runs
    by itself. `cells` are the lines at which the cells of a notebook begin.
    """

    file: str
    source: str
    arguments: tuple[str, ...] = ()
    jit: bool = True
    kind: ProgramKind = "script"
    name: str = ""
    edits: dict[str, str] = {}
    cells: tuple[int, ...] = ()


class Program(Struct, frozen=True):
    """A traced function as StableHLO; `ins` and `outs` are the types of its flat arrays.

    `kept` are the places of the inputs that the code reads. Typed keys are their numbers.
    """

    code: bytes
    kept: tuple[int, ...]
    ins: tuple[ArrayValue, ...]
    outs: tuple[ArrayValue, ...]


class AnswerPlace(Struct, frozen=True):
    """Where in a check an answer belongs: the call or the program `number` of one part of it.

    `part` is CASES for the examples and the hidden calls, otherwise the place of a property.
    """

    part: int
    number: int


CASES, FRESH = -1, -2
"""Parts of a check: its calls, and hidden calls from a seed that the submission never has."""


class ProgramUse(Struct, frozen=True):
    """The program that gives an answer, by its number, and which leaves of the call it takes."""

    place: AnswerPlace
    program: int
    takes: tuple[int, ...]


class ExportedPrograms(Struct, frozen=True, tag="exported"):
    """The programs of a submission. `missing` says why a place has none."""

    programs: tuple[Program, ...] = ()
    uses: tuple[ProgramUse, ...] = ()
    missing: tuple[tuple[AnswerPlace, str], ...] = ()


class MeterRequest(Struct, frozen=True, tag="meter"):
    """Run the programs of several submissions, the first of which is the lesson's solution.

    `fresh_seed` generates further hidden calls, which no submission could know.
    """

    lesson_dir: str
    function: str
    seed: int
    fresh_seed: int
    submissions: tuple[ExportedPrograms, ...]


Request = (
    CheckRequest | DevicesRequest | MeterRequest | ProseRequest | PredictRequest | ScriptRequest
)


class Device(Struct, frozen=True):
    """One device, named as JAX names it: `cpu:0`, `cuda:1`."""

    name: str
    kind: str
    default: bool


class Machine(Struct, frozen=True, tag="machine"):
    """The versions and devices of a worker; sent when it is ready."""

    jax: str
    jaxlib: str
    python: str
    devices: tuple[Device, ...] = ()


class LessonFault(Struct, frozen=True, tag="lesson_fault"):
    """The lesson's own files failed, so the submission cannot be checked."""

    message: str
    failure: Failure | None = None


class NoDevice(Struct, frozen=True, tag="no_device"):
    """The requested device does not exist; `known` are the existing ones."""

    asked: str
    known: tuple[str, ...]
    message: str = ""


class BrokenLibrary(Struct, frozen=True, tag="broken_library"):
    """A library that a lesson needs raised an exception when it was imported."""

    statement: str
    error_class: str
    message: str


class Started(Struct, frozen=True, tag="started"):
    """A stage began; output printed from here on belongs to it.

    `call` describes the call that is about to be made, in a stage that makes several.
    """

    stage: str
    call: str = ""


class Replaced(Struct, frozen=True, tag="replaced"):
    """The submission replaced these names, which are not its own."""

    names: tuple[str, ...]


class Peeked(Struct, frozen=True, tag="peeked"):
    """The submission opened the lesson's solution while it ran."""


class Broke(Struct, frozen=True, tag="broke"):
    """The worker failed because of an exception in its own code."""

    says: str


class MissingFunction(Struct, frozen=True, tag="missing"):
    """The file does not define the expected function; `defined` are the callables it does."""

    name: str
    defined: tuple[str, ...] = ()


class NotCallable(Struct, frozen=True, tag="not_callable"):
    """The learner's function `made_by` returned a value where a function is expected."""

    made_by: str
    returned: str


class WrongSignature(Struct, frozen=True, tag="signature"):
    """The function does not accept the arguments of the first example, for this reason."""

    signature: str
    reason: str


FunctionProblem = MissingFunction | NotCallable | WrongSignature


class StageFacts(Struct, frozen=True, tag="stage"):
    """One stage ran; `failure` is set if it raised, `problem` by the stage `function` only."""

    name: str
    seconds: float
    failure: Failure | None = None
    problem: FunctionProblem | None = None


class EagerFacts(Struct, frozen=True, tag="eager"):
    """Whether the first failing call works without any transformation."""

    works: bool


class CaseFacts(Struct, frozen=True, tag="case"):
    """One call of the submission: its inputs, its output, and the output that the lesson states.

    `reason` says what is special about the call; `arguments` are its arrays, where they are small.
    """

    inputs: str
    visible: bool
    output: Tree | None
    stated: Tree | None = None
    failure: Failure | None = None
    reason: str = ""
    arguments: Tree | None = None


class TraceFacts(Struct, frozen=True, tag="trace"):
    """The jaxpr of the first example."""

    jaxpr: Jaxpr


class Measured(Struct, frozen=True, tag="measured"):
    """What a program returned in the meter: flat arrays, or the `problem` that prevented it.

    For a fresh call, `inputs` describes it, and `like` is the number of a call of the same types.
    """

    submission: int
    place: AnswerPlace
    leaves: tuple[ArrayValue, ...] = ()
    problem: str = ""
    inputs: str = ""
    like: int = 0
    reason: str = ""


class SubmissionDone(Struct, frozen=True, tag="submission_done"):
    """All programs of one submission were run."""

    submission: int


class Contradicted(Struct, frozen=True, tag="contradicted"):
    """A submission reported another answer than its own program gives in the meter."""

    says: str


class Unmeasured(Struct, frozen=True, tag="unmeasured"):
    """An answer could not be measured in the meter, although that of the solution could."""

    says: str


class Cost(Struct, frozen=True, tag="cost"):
    """What XLA estimates for one call: floating-point operations and bytes accessed."""

    flops: float
    bytes: float


class PropertyFacts(Struct, frozen=True, tag="property"):
    """The measurement of one property of the lesson; it is judged elsewhere.

    Which fields are set depends on the property: trees to compare with the reference's, counts
    by name, names found, leaks, a failure, or the `problem` of a lesson's own check. `inputs`
    describes the calls, in the order of `trees`; `failed_call` is the one that raised. `trees` of a
    gradient are those of the sum of the answer, and `weighted` those of a weighted sum, which
    distinguishes what a plain sum cannot. `eager` has the gradients without jit, where they must
    be finite: XLA may fold a NaN away. `jaxprs` are those of the calls whose types are compared,
    where they are small.
    """

    property: Property
    seconds: float
    trees: tuple[Tree, ...] = ()
    counts: dict[str, int] = {}
    names: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    leaks: tuple[Leak, ...] = ()
    problem: str = ""
    failure: Failure | None = None
    reasons: tuple[str, ...] = ()
    arguments: tuple[Tree | None, ...] = ()
    weighted: tuple[Tree, ...] = ()
    eager: tuple[Tree, ...] = ()
    failed_call: str = ""
    jaxprs: tuple[Jaxpr | None, ...] = ()


class ObservationFacts(Struct, frozen=True, tag="observation"):
    """An observation made while the program ran."""

    observation: Observation


class BlockFacts(Struct, frozen=True, tag="block"):
    """One block of a page ran: what it raised and what it printed."""

    line: int
    printed: str
    failure: Failure | None = None


class PredictFacts(Struct, frozen=True, tag="predict"):
    """The answer of a question's program, or the failure of the program."""

    answer: str
    detail: str = ""
    failure: Failure | None = None


class CaughtFailure(Struct, frozen=True):
    """An exception that did not end the program: that of a failing test, or one it handled.

    `test` is the test's name, empty if the program handled the exception and then ended itself.
    """

    test: str
    failure: Failure


class ScriptFacts(Struct, frozen=True, tag="script"):
    """A script ended, with an exception or with this exit status.

    `files` are the learner's files that were run, the program first. `names` are the values of the
    script's global variables at its end, arrays and numbers only. `traceback` is what Python
    prints about the exception. `caught` are the exceptions behind the exit status.
    """

    exit_status: int
    files: tuple[str, ...] = ()
    names: tuple[tuple[str, Tree], ...] = ()
    failure: Failure | None = None
    traceback: str = ""
    caught: tuple[CaughtFailure, ...] = ()


class Done(Struct, frozen=True, tag="done"):
    """The request was completed."""

    seconds: float


Event = (
    Machine
    | LessonFault
    | NoDevice
    | BrokenLibrary
    | Started
    | Replaced
    | Peeked
    | Broke
    | StageFacts
    | EagerFacts
    | CaseFacts
    | TraceFacts
    | ExportedPrograms
    | Measured
    | SubmissionDone
    | Contradicted
    | Unmeasured
    | Cost
    | PropertyFacts
    | ObservationFacts
    | BlockFacts
    | PredictFacts
    | ScriptFacts
    | Done
)

End = Literal["finished", "timed_out", "crashed", "out_of_memory", "cancelled"]


class Outcome(Struct, frozen=True):
    """The result of one request: how it ended, and the facts that arrived before that.

    `end_detail` describes an end other than `finished`: the signal, the exit status, or the stage
    that was running. `printed` is the learner's output by stage, in order. `exit_status` is that of
    the process of a learner's own program, negative for a signal; None if it is not known.
    """

    end: End
    seconds: float
    machine: Machine | None = None
    events: tuple[Event, ...] = ()
    end_detail: str = ""
    device: str = ""
    printed: tuple[tuple[str, str], ...] = ()
    stderr: str = ""
    exit_status: int | None = None


# ---------------------------------------------------------------- verdicts

VerdictStatus = Literal["passed", "failed", "raised", "timed_out", "crashed", "lesson_at_fault"]
CheckStatus = Literal["passed", "failed", "skipped"]


class Difference(Struct, frozen=True):
    """How two trees differ, at the leaf `path`.

    `says` describes it in words. `places` are the first thousand flat indices that differ, of
    `count`.
    """

    path: str
    says: str
    places: tuple[int, ...] = ()
    count: int = 0


class CaseResult(Struct, frozen=True):
    """The verdict on one call. `what` names the compared result: the answer, its gradient, …"""

    inputs: str
    expected: Tree | None
    actual: Tree | None
    passed: bool
    visible: bool
    problem: str = ""
    difference: Difference | None = None
    what: str = "answer"
    reason: str = ""
    arguments: Tree | None = None


class CheckResult(Struct, frozen=True):
    """The verdict on one check: its name, its sentence, and what is wrong if it failed.

    `title` heads the failure in a few words, `detail` has all of it. `case` is the call that shows
    the problem best, if any; `answers` are those of all calls of a failed property.
    """

    name: str
    says: str
    status: CheckStatus
    seconds: float = 0.0
    detail: str = ""
    case: CaseResult | None = None
    title: str = ""
    answers: tuple[Tree, ...] = ()


class Verdict(Struct, frozen=True):
    """The result of checking one submission.

    For a wrong answer, `relation` says what it is instead of the expected one, and `misconception`
    is the sentence of the known mistake that gives the same answers; both are empty where nothing
    is certain. `hint` is the lesson's hint for this failure, where nothing more exact is known.
    `failed_call` has the arguments of the call that raised.
    """

    status: VerdictStatus
    lesson: str
    headline: str
    checks: tuple[CheckResult, ...]
    seconds: float
    device: str
    jax_version: str
    cases: tuple[CaseResult, ...] = ()
    jaxpr: Jaxpr | None = None
    reference_jaxpr: Jaxpr | None = None
    failure: Failure | None = None
    diagnosis: Diagnosis | None = None
    findings: tuple[Diagnosis, ...] = ()
    relation: str = ""
    misconception: str = ""
    hint: str = ""
    failed_call: str = ""
    works_without_jit: bool = False
    cost: Cost | None = None
    reference_cost: Cost | None = None
    stdout: str = ""
    stderr: str = ""
