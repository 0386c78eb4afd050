"""Defines what a worker reports, event by event, and the outcome of a request."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from jaxtutor.core.data.coverage import Coverage
from jaxtutor.core.data.failures import Failure, Leak
from jaxtutor.core.data.jaxprs import Jaxpr
from jaxtutor.core.data.observations import Observation
from jaxtutor.core.data.programs import AnswerPlace, ExportedPrograms
from jaxtutor.core.data.values import ArrayValue, Tree
from jaxtutor.core.vocabulary import Property


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


REPORT = "report"
"""The stage in which a learner's own program is over, and what it raised is described."""


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


class ProgramAnswers(Struct, frozen=True, tag="program-answers"):
    """What one of several programs answered to each call; None for a call that raised."""

    number: int
    answers: tuple[Tree | None, ...]


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
    distinguishes what a plain sum cannot; `primals` are the answers that came with them. `eager`
    has the gradients without jit, where they must be finite: XLA may fold a NaN away. `jaxprs` are
    those of the calls whose types are compared, where they are small.
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
    primals: tuple[Tree, ...] = ()
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


class KeptValue(Struct, frozen=True):
    """A result that a program leaves in no global variable.

    `name` is the variable of a function, `main.loss`, and empty for the value of a statement that
    is only an expression. `line` is where the statement or the function begins.
    """

    name: str
    line: int
    value: Tree


class LocalTypes(Struct, frozen=True):
    """The types of the arrays in a function's variables, when it was left in `line`.

    They are written as JAX writes them: `float32[3]`. The code of a module is the function
    `<module>`. If the function `raised`, it was left by an exception.
    """

    file: str
    function: str
    line: int
    names: tuple[tuple[str, str], ...]
    raised: bool = False


class ScriptFacts(Struct, frozen=True, tag="script"):
    """A script ended, with an exception or with this exit status.

    `files` are the learner's files that were run, the program first. `names` are the values of the
    script's global variables at its end, arrays and numbers only. `traceback` is what Python
    prints about the exception. `caught` are the exceptions behind the exit status. `kept` are
    further results, and `types` those of variables at the first return of each function, if the
    request wants them. The text of `changed` files is not what ran. `coverage` says what was looked
    at, if the program used JAX.
    """

    exit_status: int
    files: tuple[str, ...] = ()
    names: tuple[tuple[str, Tree], ...] = ()
    failure: Failure | None = None
    traceback: str = ""
    caught: tuple[CaughtFailure, ...] = ()
    kept: tuple[KeptValue, ...] = ()
    changed: tuple[str, ...] = ()
    coverage: Coverage | None = None
    types: tuple[LocalTypes, ...] = ()


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
    | ProgramAnswers
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


class RunSummary(Struct, frozen=True):
    """How one request ended, without the facts that arrived before that.

    `end_detail` describes an end other than `finished`: the signal, the exit status, or the stage
    that was running. `printed` is the learner's output by stage, in order. `exit_status` is that of
    the process of a learner's own program, negative for a signal; None if it is not known.
    """

    end: End
    seconds: float
    machine: Machine | None = None
    end_detail: str = ""
    device: str = ""
    printed: tuple[tuple[str, str], ...] = ()
    stderr: str = ""
    exit_status: int | None = None


class Outcome(RunSummary, frozen=True):
    """The result of one request: how it ended, and the facts that arrived before that."""

    events: tuple[Event, ...] = ()
