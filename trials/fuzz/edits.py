"""Fuzzes matchers and fixers with invented failures of any kind and location."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.failures import Failure, Leak, NameFact, Step
from jaxtutor.core.data.lines import split_lines
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.diagnose import diagnose
from jaxtutor.core.diagnosis.engine.findings import find
from jaxtutor.core.diagnosis.engine.index import INDEX, Entry
from jaxtutor.core.diagnosis.engine.propose import Patch, propose
from jaxtutor.core.diagnosis.engine.registry import rule_of
from jaxtutor.core.diagnosis.engine.rules import Diagnosed, Raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of, read_module
from trials.fuzz import laws
from trials.fuzz.mutate import Random, mutate
from trials.fuzz.target import Target

ROOT = Path(__file__).resolve().parents[2]
FILE = "program.py"
CAUSES = Library()
_KINDS = (
    *"tracer array ndarray list tuple dict set str number none module function class".split(),
    *("typed_key", "other", "missing"),
)
_DETAILS = (
    *(
        "float32[3]",
        "~int32[]",
        "bool[2,3]",
        "float32[4]{s}",
        "numpy.sin",
        "jax.numpy.sum",
        "math.exp",
    ),
    *("3", "", "builtins.float", "jax.numpy", "key<fry>[]", "f", "functools.partial"),
)
_CLASSES = (
    *"TracerBoolConversionError TracerArrayConversionError TracerIntegerConversionError".split(),
    *"ConcretizationTypeError NonConcreteBooleanIndexError UnexpectedTracerError".split(),
    *"TypeError ValueError NameError AttributeError IndexError KeyError UnboundLocalError".split(),
    *"JaxRuntimeError ImportError AssertionError".split(),
    *"FloatingPointError KeyReuseError Nasty\x1b[2J".split(),
)
_FRAMES = (
    *"jax.numpy.tile jax.lax.scan jax.lax.cond jax.jit jax.vmap jax.grad jax.numpy.where".split(),
    *"jax.core.Tracer.__bool__ jax.core.Tracer.__index__ jax.core.Tracer.__array__".split(),
    *"jax.numpy.reshape jax.random.normal jax.numpy.linalg.inv builtins.sorted".split(),
)


@cache
def sources() -> tuple[str, ...]:
    """Return programs of every cause, and the examples of the causes' pages."""
    folders = ("programs/*.py", "fixable/**/*.py", "corpus/*/broken.py")
    texts = [path.read_text() for glob in folders for path in sorted((ROOT / "tests").glob(glob))]
    return (*texts, *(example.source for cause in CAUSES.values() for example in cause.examples))


@cache
def _messages() -> tuple[str, ...]:
    """Return JAX's messages: the strings that the matchers themselves search for."""
    found: set[str] = set()
    for path in sorted((ROOT / "jaxtutor/core/diagnosis/causes").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                found.add(node.value)
    found.update(part for cause in CAUSES.values() for part in cause.message.split("|"))
    return (*sorted(found), "", "{expression}", "\x1b[2J\u202e", "a\nb\n\nc", "x" * 3000)


class Chance:
    """Generates a failure, partly as JAX would report it and partly invented."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.source = mutate(self.random.choice(sources()), self.random)
        self.module = read_module(FILE, self.source)
        self.nodes: list[ast.AST] = []
        if self.module is not None:
            self.nodes = [
                n for n in ast.walk(self.module.tree) if isinstance(n, ast.expr | ast.stmt)
            ]

    def span(self) -> Span:
        """Choose a span: usually a node's, otherwise any, also past the end."""
        if self.module is not None and self.nodes and self.random.random() < 0.85:
            return self.module.span(self.random.choice(self.nodes))
        lines = split_lines(self.source)
        line = self.random.randrange(1, len(lines) + 4)
        end = line + self.random.choice((0, 0, 1, 3))
        return Span(line, self.random.randrange(40), end, self.random.randrange(60))

    def frame(self) -> Frame:
        """Generate a frame."""
        file = FILE if self.random.random() < 0.95 else "other.py"
        return Frame(file, self.random.choice(("f", "<module>", "<lambda>", "step")), self.span())

    def names(self) -> tuple[NameFact, ...]:
        """Generate a fact about every name in the file."""
        paths = sorted({path for n in self.nodes if (path := path_of(n)) is not None})
        few = self.random.sample(paths, min(len(paths), 30))
        return tuple(
            NameFact(
                path,
                self.random.choice(("tracer", *_KINDS)),
                self.random.choice(_DETAILS),
                self.random.random() < 0.2,
            )
            for path in few
        )

    def steps(self) -> tuple[Step, ...]:
        """Generate the steps of an origin."""
        return tuple(
            Step(
                "x",
                "float32[]",
                self.random.choice((FILE, None)),
                self.random.choice((None, self.span())),
            )
            for _ in range(self.random.randrange(4))
        )

    def leak(self) -> Leak:
        """Generate a leak with its holder."""
        holders = "list dict set attribute global closure generator cache unknown".split()
        paths = ["acts", "self.h", "CACHE", "", "f.memo", "é"]
        created = self.random.choice((None, self.frame()))
        where = self.random.choice(("jit", "vmap", "grad", ""))
        holder, path = self.random.choice(holders), self.random.choice(paths)
        return Leak("float32[]", created, holder, path, self.random.choice(("f", "")), where)

    def failure(self, links: int = 1) -> Failure:
        """Generate a failure."""
        chance = self.random
        frames = tuple(self.frame() for _ in range(chance.choice((0, 1, 1, 2, 3))))
        facts = tuple(self.names() for _ in frames)
        return Failure(
            chance.choice(_CLASSES),
            ("Exception",),
            chance.choice(_messages()) + chance.choice(("", " got 2 and 3", " float32[3]", " 'x'")),
            frames=frames,
            jax_frames=tuple(chance.sample(_FRAMES, chance.randrange(3))),
            transformation=chance.choice(
                (None, "jit", "grad", "vmap", "scan", "cond", "while_loop")
            ),
            traced_function=chance.choice((None, "f", "<lambda>")),
            tracer=chance.choice((None, "float32[]", "bool[3]", "~int32[]", "\x1b")),
            origin=self.steps(),
            names=facts[-1] if facts else (),
            call_names=facts if chance.random() < 0.9 else (),
            linked=self.failure(links - 1) if links and chance.random() < 0.3 else None,
            leak=self.leak() if chance.random() < 0.2 else None,
        )


def failure_diagnosed(seed: int) -> None:
    """Any failure is diagnosed or not, and the proposed edits change only what they name."""
    chance = Chance(seed)
    failure, read = chance.failure(), {FILE: chance.source}
    found = diagnose(failure, read, CAUSES)
    find((), read, CAUSES)
    if found is not None:
        _hold(propose(found), chance.source)


def rule_asked(given: tuple[Entry, int]) -> None:
    """A rule that is asked of a failure of any class matches or not; its edits are valid."""
    entry, seed = given
    chance = Chance(seed)
    rule = rule_of(entry)
    context = FailureContext(chance.failure(), {FILE: chance.source})
    if isinstance(rule.recognise, Raised) and rule.recognise.match is not None:
        match = rule.recognise.match(context)
        made = Diagnosis("TypeError", "", entry.slug, FILE, chance.span(), "x", "", "")
        _hold(propose(Diagnosed(made, rule, match)), chance.source)


def _hold(patches: Iterator[Patch], source: str) -> None:
    for patch in patches:
        wrong = list(laws.wrong_in_patch(patch, source))
        assert not wrong, (wrong, source)


def nodes_read_back(seed: int) -> None:
    """The text of every node parses to that node."""
    module = Chance(seed).module
    if module is None:
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.expr) and not isinstance(node, ast.Starred | ast.Slice):
            _read_back(module, node)


def _read_back(module: Module, node: ast.expr) -> None:
    inside = [*module.ancestors(node)]
    if any(isinstance(outer, ast.JoinedStr | ast.pattern) for outer in inside):
        return  # Python 3.11 does not report positions inside formatted strings
    text = module.text(node)
    given = ast.get_source_segment(module.source, node)
    wanted = (given or "").replace("\r\n", "\n").replace("\r", "\n")
    assert text == wanted or ast.dump(ast.parse(f"({text}\n)", mode="eval").body) == ast.dump(node)


_seeds = st.integers(0, 10**9)
TARGETS = (
    Target("made-up failures are diagnosed", _seeds, failure_diagnosed, 5_000),
    Target(
        "fixers keep what they do not name",
        st.tuples(st.sampled_from([it for it in INDEX if it.has_fix]), _seeds),
        rule_asked,
        5_000,
    ),
    Target("a node's text is read back", _seeds, nodes_read_back, 1_000),
)
