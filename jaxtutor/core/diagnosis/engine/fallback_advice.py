"""Advises on failures that have no cause: what the values were, and what the library documents."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from jaxtutor.core.data.counterparts import Group
from jaxtutor.core.data.failures import LibraryCheck, NameFact
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.counterparts import advise_from_table, translations
from jaxtutor.core.diagnosis.engine.fallback_summaries import SUMMARIES, summarise
from jaxtutor.core.diagnosis.engine.phrases import in_words, joined
from jaxtutor.core.diagnosis.engine.source import Definition
from jaxtutor.core.diagnosis.engine.value_origins import value_origin
from jaxtutor.core.diagnosis.reading.library_calls import PACKAGES
from jaxtutor.core.diagnosis.reading.names import last_part
from jaxtutor.core.diagnosis.refusals.refused import refusal

MOST_VALUES = 6
PYTORCH = "torch"
MOST_TRANSLATED = 3
"""Calls of another library for which the advice says what JAX has."""
MOST_QUOTED = 70
"""Characters of an assignment that is quoted: it stands inside a sentence."""
_WORDS = {"str": "a text", "none": "None"}


def advise(context: FailureContext, table: Sequence[Group] = ()) -> str:
    """Describe the values in the expression that raised, and quote the library's documentation.

    For what people write by the habits of another library, the table says what JAX has.
    """
    if context.error == "ModuleNotFoundError":
        return " ".join([*_translated(context, table), *_not_installed(context)])
    if context.error in SUMMARIES:  # the program ended, or was interrupted
        return ""
    instead = advise_from_table(context.frame, context.node, context.message, table)
    if instead:
        return instead
    if refused := refusal(context):
        return " ".join([refused.action, *_available(context), *_texts(context)])
    return " ".join(
        [
            *_available(context),
            *_version(context),
            *_assigned(context),
            *_unfit(context),
            *_not_called(context),
            *_transformed(context),
            *_mentioned(context),
            *_values(context),
            *_checked(context),
            *_texts(context),
            *_documented(context),
        ]
    )


def _translated(context: FailureContext, table: Sequence[Group]) -> Iterator[str]:
    """Say what JAX has for the calls of PyTorch in the file, where PyTorch is not installed."""
    frame, said = context.frame, _MODULE.fullmatch(context.message)
    if frame is None or said is None or said[1] != PYTORCH:
        return
    yield "JAX programs do without PyTorch: take the import out."
    sentences = dict(translations(frame, PYTORCH, table))
    yield from list(sentences.values())[:MOST_TRANSLATED]
    yield "`jaxtutor explain pytorch` lists what JAX has. For a program that needs both,"


def _not_installed(context: FailureContext) -> Iterator[str]:
    """Say how to install the package that is missing."""
    said = _MODULE.fullmatch(context.message)
    if said is None:
        return
    name = said[1]
    package = _DISTRIBUTIONS.get(name, name)
    install = "install PyTorch" if name == PYTORCH else "Install it"
    if name not in {*PACKAGES, *_DISTRIBUTIONS, PYTORCH}:
        install = "If it is a package, install it"
        yield (
            f"If `{name}` is a file of yours, it has to be beside the script, or in a folder on"
            " `PYTHONPATH`."
        )
    yield (
        f"{install} where jaxtutor is installed: `pip install {package}`, or `pipx inject jaxtutor"
        f" {package}` if jaxtutor was installed with pipx."
    )


_MODULE = re.compile(r"No module named '(\w+)'")
_DISTRIBUTIONS = {
    "PIL": "pillow",
    "absl": "absl-py",
    "cv2": "opencv-python",
    "haiku": "dm-haiku",
    "orbax": "orbax-checkpoint",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}
"""Modules whose package has another name on PyPI."""


def _available(context: FailureContext) -> Iterator[str]:
    """Name the keys that there are."""
    frame, keys, node = context.frame, context.failure.keys, context.node
    if frame is not None and keys and isinstance(node, ast.Subscript):
        listed = ", ".join(f"`{key}`" for key in keys)
        yield f"The keys of `{frame.module.text(node.value)}` are {listed}."


def _version(context: FailureContext) -> Iterator[str]:
    """Say which version of a library lacks a name."""
    missing = context.failure.missing_name
    if missing is None or not missing.version:
        return
    library = missing.module.partition(".")[0]
    like = ", ".join(f"`{missing.module}.{name}`" for name in missing.close)
    yield (
        f"`{library}` {missing.version} is installed, and does not have this name. Look in its"
        f" release notes whether `{missing.name}` was renamed, or is newer."
        + (f" It has {like}." if like else "")
    )


def _assigned(context: FailureContext) -> Iterator[str]:
    """Say why a name has no value in a function that assigns it, and how it gets one."""
    said, frame = _UNBOUND.search(context.message), context.frame
    function = frame.function if frame is not None else None
    if said is None or frame is None or not isinstance(function, Definition):
        return
    name, module = said[1] or said[2], frame.module
    scopes = [module.tree, *(n for n in module.ancestors(function) if isinstance(n, Definition))]
    outer = [s for scope in scopes for s in module.assignments(name, scope)]
    if not outer:
        yield (
            f"`{function.name}` assigns `{name}` in another branch or loop, which did not run: give"
            " it a value before that."
        )
        return
    yield (
        f"`{function.name}` assigns `{name}`, so the name belongs to the function from its first"
        f" line, and the `{name}` of line {outer[0].lineno} is another variable. Take it as an"
        " argument, and return its new value."
    )
    if context.failure.transformation is not None:
        yield (
            f"With `global` or `nonlocal` the function would run, but `jax."
            f"{context.failure.transformation}` runs it only while tracing: `{name}` would get a"
            " value once, and that may be a tracer."
        )


_UNBOUND = re.compile(
    r"local variable '(\w+)' where it is not associated|local variable '(\w+)' referenced before"
)


def _unfit(context: FailureContext) -> Iterator[str]:
    """Name the arguments that stand where the signature declares something else."""
    for item in context.failure.unfit[:1]:
        yield (
            f"`{item.function}` takes `{item.parameter}: {item.declared}`, and gets `{item.given}`"
            f" there, which is {item.said}. Check the order of the arguments."
        )


def _not_called(context: FailureContext) -> Iterator[str]:
    """Say that a pair of functions, `init` and `apply`, stands where their result belongs."""
    part = context.failure.part
    if part is not None and part.path.endswith(".init") and part.said.startswith("the function"):
        pair = part.path.removesuffix(".init")
        yield (
            f"`{pair}` is not a tree of arrays yet, but the functions that make one: call"
            f" `{part.path}(…)`, and pass on what it returns."
        )


def _transformed(context: FailureContext) -> Iterator[str]:
    """Quote the operation that JAX was transforming."""
    for module, node in islice(context.transformed(), 1):
        text = " ".join(module.text(node).split())
        yield f"JAX raised it while it transformed `{text}` (line {module.span(node).line})."


def _mentioned(context: FailureContext) -> Iterator[str]:
    """Name what the call passes for the arguments and keys that the library's message mentions."""
    call, frame = context.call, context.frame
    if call is None or frame is None:
        return
    words = set(_WORD.findall(summarise(context.failure)))
    given = {k.arg: k.value for k in call.keywords if k.arg is not None}
    for node in (n for k in (*call.args, *given.values()) for n in ast.walk(k)):
        if isinstance(node, ast.Dict):
            keys = [getattr(key, "value", None) for key in node.keys]
            given |= dict(zip(map(str, keys), node.values, strict=True))
    parts = [
        f"`{frame.module.text(value)}` for `{name}`"
        for name, value in given.items()
        if name in words and len(frame.module.text(value)) <= MOST_QUOTED
    ]
    if parts:
        yield f"The call passes {joined(parts)}."


_WORD = re.compile(r"\b[A-Za-z_]\w{2,}\b")


def _is_about_values(context: FailureContext, facts: Iterable[NameFact]) -> bool:
    """Return whether a message speaks of types and shapes, or of one of some values."""
    said = summarise(context.failure)
    is_bare = context.error == "KeyError" or not context.message.strip()
    if is_bare or _OF_TYPES.search(said):
        return True
    words = set(re.findall(r"\w+", said))
    is_sentence = _SENTENCE.search(said) is not None
    sizes = {size for it in facts for size in re.findall(r"\d+", it.detail.partition("[")[2])}
    return is_sentence and bool(words & (sizes | {it.name for it in facts}))


_OF_TYPES = re.compile(
    r"\b(?:shapes?|dtypes?|types?|arrays?|tracers?|rank|ndim|(?:dimension|axis|axes|size|length)\w*"
    r"|broadcast\w*|scalars?|operands?|ind(?:ex|ices)|iterable|callable|subscript\w*|attribute"
    r"|arguments?|unpack|values? to|(?:py)?trees?|structures?|leaf|leaves|integers?|floats?|bool\w*"
    r"|instances?|object|numbers?|NoneType|tuple|list|dict|str|int|float|mismatch\w*|fits?|concrete)\b"
)
_SENTENCE = re.compile(r"(?:^|\s)[a-z]{2,}\s")


def _values(context: FailureContext) -> Iterator[str]:
    """List what the names in the expression were, where a library or Python refused them."""
    frame, node = context.frame, context.node
    if frame is None or node is None or context.error == "UnboundLocalError":
        return
    if not _is_about_values(context, [it for _, it in _known_values(context, frame, node)]):
        return
    seen: dict[str, str] = {}
    for part, fact in _known_values(context, frame, node):
        said = _said(fact, in_call=isinstance(node, ast.Call))
        is_owner = any(name.startswith(f"{part}.") for name in seen)
        if said and not is_owner:
            seen.setdefault(part, said)
    parts = [
        f"`{name}`{_origin(context, name)} is {said}"
        for name, said in list(seen.items())[:MOST_VALUES]
    ]
    if parts:
        yield f"Here {', '.join(parts)}."


def _origin(context: FailureContext, name: str) -> str:
    """Quote the expression that a value comes from, if it is not plain to see."""
    origin = value_origin(context.frames, name)
    if origin is None or (origin.is_near and isinstance(origin.node, ast.Constant)):
        return ""
    text = " ".join(origin.module.text(origin.node).split())
    if len(text) > MOST_QUOTED or text == name:
        return ""
    line = f"line {origin.node.lineno}"
    if origin.module is not context.frames[-1].module:
        line = f"{_file_name(origin.module.file)}, {line}"
    return f" ({line}: `{text}`)"


def _file_name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _known_values(
    context: FailureContext, frame: FrameContext, node: ast.AST
) -> Iterator[tuple[str, NameFact]]:
    """Yield what is known of the names in an expression, and of what it computes and passes."""
    passed = {fact.name: fact for fact in context.failure.passed}
    for part in ast.walk(node):
        named = isinstance(part, ast.Name | ast.Attribute)
        text = frame.module.text(part) if passed and isinstance(part, ast.expr) else ""
        fact = (frame.fact(part) if named else None) or passed.get(text)
        if fact is not None:
            yield " ".join(fact.name.split()), fact


def _checked(context: FailureContext) -> Iterator[str]:
    """Say under which condition the library raised, if it reads what the learner passed."""
    check = context.failure.check
    is_told = check is not None and check.kind != "computes" and context.message.strip()
    if check is None or (is_told and not (check.given or check.left_out)):
        return
    if check.left_out:
        yield f"The call passes no `{check.left_out[0]}`."
    verb = {"raises": "raises this where", "requires": "requires", "computes": "computes"}
    yield f"`{check.function}` {verb[check.kind]} `{check.condition}`{_condition_values(check)}."


def _condition_values(check: LibraryCheck) -> str:
    """List the values that a condition reads, with the learner's expressions for them."""
    parts = [
        f"`{path}` is {said}{_passed_expression(check, path)}"
        for path, said in list(check.values.items())[:MOST_VALUES]
    ]
    return f"; there {', '.join(parts)}" if parts else ""


def _passed_expression(check: LibraryCheck, path: str) -> str:
    given = check.given.get(path.partition(".")[0])
    return f" (your `{given}`)" if given is not None else ""


def _said(fact: NameFact, *, in_call: bool) -> str:
    """Describe a value in a few words; empty for functions, classes and modules."""
    name = last_part(fact.detail)
    if fact.kind in _WORDS:
        return _WORDS[fact.kind]
    if fact.kind == "number":
        return "" if in_call else f"a Python `{name}`"
    return "" if fact.kind == "other" and name.startswith("_") else in_words(fact)


def _texts(context: FailureContext) -> Iterator[str]:
    """Say how a text that arithmetic got becomes a number."""
    frame, node = context.frame, context.node
    for part in (node.left, node.right) if isinstance(node, ast.BinOp) else ():
        if frame is not None and frame.kind(part) == "str":
            name = frame.module.text(part)
            yield f"Convert the text first: `float({name})`; with argparse, `type=float`."


def _documented(context: FailureContext) -> Iterator[str]:
    """Quote what the library's docstring says of the arguments."""
    for item in context.failure.documentation:
        what = "its result" if item.name == "return" else f"`{item.name}`"
        yield f"The documentation of `{item.function}` says of {what}: “{item.text}”"
