"""Defines a failure as data: the exception, where it was raised, and what the names there were."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from jaxtutor.core.data.positions import Frame, Span


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
    functions: bool = False  # a model of Equinox that has functions among its leaves


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


class MissingName(Struct, frozen=True):
    """A name that a library's module does not have, the library's version, and names like it."""

    module: str
    name: str
    version: str = ""
    close: tuple[str, ...] = ()


class UnfitArgument(Struct, frozen=True):
    """An argument of another kind than the signature of a library's function declares.

    `given` is the learner's expression, and `said` describes its value in words that can follow
    "is". If the signature declares a class of the library, `classes` are the names of those that
    fit, as the library's top module has them.
    """

    function: str
    parameter: str
    declared: str
    given: str
    said: str
    classes: tuple[str, ...] = ()


class LibraryCheck(Struct, frozen=True):
    """The condition under which a library raised, or the expression that failed in it.

    `kind` is raises, for a condition that held, requires, for one that did not, or computes.
    `values` describe the names in the condition, in words that can follow "is". `given` maps those
    that are the learner's arguments to the expressions that passed them. `left_out` are the names
    that the called function takes as parameters, and that the learner's call does not pass.
    """

    function: str
    condition: str
    kind: Literal["raises", "requires", "computes"]
    values: dict[str, str] = {}
    given: dict[str, str] = {}
    left_out: tuple[str, ...] = ()


class ImpossibleSite(Struct, frozen=True):
    """A site of a NumPyro model that observes values which its distribution cannot have.

    `lowest` and `highest` are the least and the greatest of the values, and `missing` counts NaN.
    """

    name: str
    distribution: str
    lowest: str
    highest: str
    missing: int


class PassedPart(Struct, frozen=True):
    """A part of an argument that an exception is about, though its message does not name it.

    `path` is the part as the learner would write it, and `said` describes it in words that can
    follow "is". `is_inner` says that it is in a container. Where two trees differ, `other` is the
    same part of the other tree; if that has no such part, `other` is the container that lacks it,
    and `other_said` is empty.
    """

    path: str
    said: str
    is_inner: bool = False
    other: str = ""
    other_said: str = ""


class HandedValue(Struct, frozen=True):
    """A class of the learner's, or another's function, that a library called and that refused.

    `given` is the expression that the call at fault passes it by; empty if the library got it
    earlier. `passed` counts the arguments of the library's call, None where they are not known.
    """

    given: str
    name: str
    is_class: bool
    parameters: tuple[str, ...] = ()
    passed: int | None = None


class Failure(Struct, frozen=True):
    """An exception that the learner's code raised, as data.

    `frames` contains only the learner's frames, outermost first. `bases` are the names of the
    classes in the exception's MRO. `jax_frames` are the dotted names of the library functions
    between the learner's last frame and the raise, outermost first (`jax.numpy.tile`). `linked` is
    the exception's cause or context. `surfaced` is where an exception of a thread reached the
    program; `frames` are then those that started the thread.
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
    missing_name: MissingName | None = None
    hiding: tuple[str, ...] = ()  # files that were imported in the place of a module of their name
    check: LibraryCheck | None = None
    unfit: tuple[UnfitArgument, ...] = ()  # arguments of the call that the signature refuses
    sites: tuple[ImpossibleSite, ...] = ()  # observations that leave a model without a start
    handed: HandedValue | None = None  # what a library called, with arguments that do not fit
    surfaced: Frame | None = None
    part: PassedPart | None = None  # what an exception is about that names no path
