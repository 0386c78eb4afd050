"""Matches and fixes misspelt attributes."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.jax_api.jax_names import NAMES
from jaxtutor.core.diagnosis.causes.python.lacking import MODULE, missing_name
from jaxtutor.core.diagnosis.causes.python.slips import is_slip
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.library_calls import PACKAGES

_OF_ARRAY = re.compile(r"^'?[\w.]*(?:Tracer|ArrayImpl)'?(?: object)? has no attribute '?(\w+)'?")
_KNOWN = frozenset({"jax", "jaxlib", "numpy", "scipy"})


class UnknownAttribute(AtFrame, frozen=True, kw_only=True):
    """A name that a module does not have; `home` is empty for an attribute of an array."""

    home: str
    name: str


def attribute_typo(context: FailureContext) -> UnknownAttribute | None:
    """A module or an array does not have a name that is read from it."""
    found, frame = missing_name(context), context.frame
    if found is None and (said := _OF_ARRAY.search(context.message)) is not None:
        found = ("", said[1]) if _reads_attribute(context, said[1]) else None
    if found is None or frame is None or _is_of_other_library(context, found[0]):
        return None
    if MODULE.search(context.message) and not found[0] and not _is_near_module(found[1]):
        return None  # it is not installed, which Python or the library says
    if not _may_be_misspelt(context):
        return None
    home, name = found
    facts = {"name": ".".join(part for part in found if part)}
    is_import = context.error == "ImportError" and "Did you mean" not in context.message
    if is_import and home and not _is_like_known(home, name):
        facts, form = {"name": name, "container": home}, "import"
        return UnknownAttribute(None, facts, form, context=context, home=home, name=name)
    return UnknownAttribute(None, facts, context=context, home=home, name=name)


def _reads_attribute(context: FailureContext, name: str) -> bool:
    """Return whether the learner's code reads an attribute, and not the library that it calls."""
    frame = context.frame
    here = (frame.node or frame.statement) if frame is not None else None
    read = ast.walk(here) if here is not None else ()
    return not context.failure.jax_frames or any(getattr(n, "attr", "") == name for n in read)


def _is_like_known(home: str, name: str) -> bool:
    """Return whether JAX has a name in another module, or one like it in this one."""
    has_name = any(name in names or name.lower() in names for names in NAMES.values())
    return has_name or bool(difflib.get_close_matches(name, NAMES.get(home, ()), 1, 0.7))


def _may_be_misspelt(context: FailureContext) -> bool:
    """Return whether a library that is not known here has a name that differs in a letter or two.

    Without one, another version may have had the name. A log does not show which one is installed.
    """
    is_suggested = "Did you mean" in context.message
    if context.is_excerpt and context.is_a(("ImportError",)) and not is_suggested:
        return False
    missing = context.failure.missing_name
    if missing is None or not missing.version or missing.module.partition(".")[0] in _KNOWN:
        return True  # of JAX, of the learner's files or of Python
    return bool(difflib.get_close_matches(missing.name, missing.close, 1, 0.87))


def _is_near_module(name: str) -> bool:
    """Return whether a name is spelt much like that of a library, and not exactly so."""
    libraries = PACKAGES | _KNOWN
    return name not in libraries and bool(difflib.get_close_matches(name, libraries, 1, 0.8))


def _is_of_other_library(context: FailureContext, home: str) -> bool:
    """Return whether an import failed in a library whose versions are not known here.

    The name may have been removed, be new, or be misspelt; only Python's own suggestion decides.
    """
    top = home.partition(".")[0]
    is_import = context.is_a(("ImportError",)) and "Did you mean" not in context.message
    stems = {part for file in context.modules for part in re.split(r"[/\\]|\.py$", file)}
    is_own = top in stems and top not in PACKAGES  # a folder may have the name of a library
    return is_import and bool(top) and top not in _KNOWN and not is_own


def spell_attribute(found: UnknownAttribute) -> Drafts:
    """Write the attribute that was meant: one of the same name elsewhere, or one like it here."""
    missing = found.context.failure.missing_name
    for near in missing.close if missing is not None and found.home not in NAMES else ():
        yield _spell(found.frame, found.home, found.name, f"{found.home}.{near}")
    if not found.home or found.name in _FOREIGN:
        return
    only = _only_meaning(found.home, found.name)
    for path in _meant(found.home, found.name):
        draft = _spell(found.frame, found.home, found.name, path)
        yield draft.certain() if draft is not None and path == only else draft


# Names of other libraries, which resemble names of JAX that mean something else.
_FOREIGN = frozenset({"no_grad", "enable_grad", "backward", "cuda", "detach", "autograd"})


def _meant(home: str, name: str) -> Iterator[str]:
    """List the paths that may be meant, the likeliest first."""
    known = NAMES.get(home, frozenset())
    near = difflib.get_close_matches(name, sorted(known), 2, 0.7)
    elsewhere = [h for h in NAMES if h != home and name in NAMES[h]]
    if elsewhere:
        yield f"{elsewhere[0]}.{name}"
    yield from (f"{home}.{n}" for n in near)
    lower = [h for h in NAMES if name.lower() in NAMES[h]]
    if lower and not elsewhere and not near:
        yield f"{lower[0]}.{name.lower()}"


def _only_meaning(home: str, name: str) -> str | None:
    """Return the one path that a name can mean: it is elsewhere, or one slip of the hand away."""
    elsewhere = [h for h in NAMES if h != home and name in NAMES[h]]
    if elsewhere:
        return f"{elsewhere[0]}.{name}" if len(elsewhere) == 1 else None
    slips = [known for known in NAMES.get(home, ()) if is_slip(name, known)]
    return f"{home}.{slips[0]}" if len(slips) == 1 else None


def _spell(frame: FrameContext, home: str, name: str, path: str) -> Draft | None:
    module, draft = frame.module, Draft(frame.module)
    new_home, _, new = path.rpartition(".")
    count = 0
    for node in module.nodes:
        if isinstance(node, ast.Attribute) and node.attr == name:
            if frame.dotted(node.value) == home or module.dotted(node.value) == home:
                same = f"{module.text(node.value)}.{new}"
                draft.replace(node, same if new_home == home else draft.name(path))
                count += 1
        elif isinstance(node, ast.ImportFrom) and [n.name for n in node.names] == [name]:
            alias = node.names[0].asname or name
            tail = f" as {alias}" if alias != new else ""
            if node.module == home:
                draft.replace(node, f"from {new_home} import {new}{tail}")
                count += 1
    return draft if count else None


RULES = (Rule("attribute-typo", raised(attribute_typo), spell_attribute),)
