"""Defines what a worker can be asked to do."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from jaxtutor.core.data.lessons import Block
from jaxtutor.core.data.predictions import Asks
from jaxtutor.core.data.programs import ExportedPrograms


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


class AnswersRequest(Struct, frozen=True, tag="answers"):
    """Run each of several programs on the calls of a lesson's examples and hidden cases."""

    lesson_dir: str
    function: str
    file: str
    sources: tuple[str, ...]
    seed: int = 0


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
    by itself, and without `maps`, `jax.vmap` calls its function for one example after another.
    `cells` are the lines at which the cells of a notebook begin, and `may_raise` those of the cells
    that may raise, after which the next one runs. With `keep`, results are reported that the
    program leaves in no variable, among them the variables of `functions`, by file and path.
    `cache` is a folder for the operations that are compiled to look into the program; if empty,
    they are compiled each time. `folder` is the working directory; if empty, that of the worker.
    With `types`, the types of arrays in variables are reported. Unless `watched`, nothing is
    observed: only the results are wanted, and the program takes the time that it takes alone.
    """

    file: str
    source: str
    arguments: tuple[str, ...] = ()
    jit: bool = True
    kind: ProgramKind = "script"
    name: str = ""
    edits: dict[str, str] = {}
    cells: tuple[int, ...] = ()
    maps: bool = True
    keep: bool = False
    functions: dict[str, tuple[str, ...]] = {}
    may_raise: tuple[int, ...] = ()
    cache: str = ""
    folder: str = ""
    types: bool = False
    watched: bool = True


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
    AnswersRequest
    | CheckRequest
    | DevicesRequest
    | MeterRequest
    | ProseRequest
    | PredictRequest
    | ScriptRequest
)
