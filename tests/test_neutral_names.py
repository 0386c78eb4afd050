"""Tests that causes are read from what a program does, and not from what it calls its variables."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest

from catalogue import Program, catalogue
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.observations import IntegersCut
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.core.diagnosis.engine.findings import find
from jaxtutor.core.diagnosis.words import has_word, says, words_of
from neutral import neutral_names, renamed, renamed_in
from recordings import Record, corners, diagnoses, records

pytestmark = pytest.mark.skipif(
    sys.version_info < (3, 12), reason="ast has no places of names inside f-strings"
)

CAUSES = Library()

ABOUT_NAMES = {
    "carry-returned-unchanged": "a carry of settings is returned as it came, and the output is "
    "computed from it as well; only a name such as `h_new` says that it is the next carry",
    "fori-body-args-swapped": "one parameter of the body is the counter; only its name says which "
    "one the learner takes for it",
    "name-typo": "a misspelled name is recognised by a name like it",
    "names-exchanged": "the parts of a tuple have places only; that two were exchanged is seen by "
    "what both sides call them",
    "pairs-shuffled-apart": "two arrays that are shuffled apart may be independent samples; only "
    "names say that one has the labels of the other",
    "parameters-in-another-order": "the order of parameters is wrong only by what they are called",
    "training-mode-in-evaluation": "a loss that is computed without gradients may be a record of "
    "training; only the function's name says that it evaluates",
    "unpack-count-mismatch": "a name that a function does not return is found among its variables "
    "by what the call's target is called",
    "vmap-maps-shared-argument": "two square arrays may be multiplied row by row; only names say "
    "which is a matrix for all examples",
    "zero-gradient": "a file trains if it makes a step with gradients; a function of two arguments "
    "that is called `update` is taken for one",
}
"""Causes that a program may lose with its names, and why nothing else can tell."""

SILENCED = {
    "programs/argument_never_read__right": "`argument-never-read`: parameters that are called "
    "`_name`, `key`, `train` and `args`",
    "programs/effect_in_mapped_branch__right": "`argument-never-read`: a counter is called `step`",
    "programs/value_never_read__right": "`value-never-read`: the name `_checked` says that nobody "
    "reads it",
    "programs/state_not_carried__heads": "`value-never-read`: names that begin with an underscore",
    "spellings/right/50": "`prng-key-reuse`: the key is called `test_key`, for a fixed test set",
}
"""Right programs that a rule is silent about because of a name, and what says so."""


def record_of(program: Program) -> Record:
    """Return the newest record of a program; without any, its source alone is read."""
    known = (records(of).get(program.name) for of in reversed(corners()))
    return next((it for it in known if it is not None), Record(program.name, ""))


def causes_of(record: Record, program: Program) -> set[str]:
    """Return the causes of a recorded outcome."""
    return {it.cause for it in diagnoses(record, program, CAUSES) if it and it.cause}


def neutral(record: Record, program: Program) -> tuple[Record, Program]:
    """Return a program and its record with names that say nothing."""
    names = neutral_names(program.source)
    data = renamed_in(msgspec.to_builtins(record), names)
    source = renamed(program.source, names)
    return msgspec.convert(data, Record), msgspec.structs.replace(program, source=source)


def changes() -> Iterator[tuple[Program, set[str], set[str]]]:
    """Yield the programs whose causes change with their names, what they lose and what they get."""
    for program in catalogue().values():
        record = record_of(program)
        named = causes_of(*neutral(record, program))
        wanted = set() if program.is_right else {program.cause}
        if named != wanted and named != (had := causes_of(record, program)):
            yield program, had - named, named - had


@pytest.fixture(scope="module")
def changed() -> list[tuple[Program, set[str], set[str]]]:
    """Diagnose every program with and without its names."""
    return list(changes())


def test_no_cause_is_lost_with_the_names(
    changed: list[tuple[Program, set[str], set[str]]],
) -> None:
    """Only causes that are about names are lost, and each of the table is by some program."""
    lost = Counter(cause for _, gone, _ in changed for cause in gone)
    assert set(ABOUT_NAMES) == set(lost), lost


def test_right_programs_stay_right_without_names(
    changed: list[tuple[Program, set[str], set[str]]],
) -> None:
    """A right program gets no finding, unless a name of it silences the rule."""
    assert set(SILENCED) == {
        program.name for program, _, got in changed if program.is_right and got
    }


def test_names_of_the_same_length_replace_those_that_may_be_changed() -> None:
    """Imports, attributes, keywords and methods keep their names, and f-strings are read."""
    source = "import jax\ndef loss(w, rate=1): return jax.f(w, rate=rate)\nprint(f'{loss(2)}')\n"
    names = neutral_names(source)
    assert {"loss", "w"} == set(names)
    assert len(source) == len(renamed(source, names))
    assert f"def {names['loss']}({names['w']}, rate=1)" in renamed(source, names)
    assert f"f'{{{names['loss']}(2)}}'" in renamed(source, names)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("programs/vmap_maps_shared_argument", {"weights": "theta_0"}),
        ("programs/mask_times_scores", {"mask": "keep"}),
        ("programs/mean_divided_again__with_penalty", {"ridge_loss": "ridge_only"}),
    ],
)
def test_other_names_do_not_change_a_cause(name: str, given: dict[str, str]) -> None:
    """A weight is one by the layer around it, a mask by its values, a loss by its gradient."""
    program = catalogue()[name]
    record = msgspec.convert(renamed_in(msgspec.to_builtins(record_of(program)), given), Record)
    other = msgspec.structs.replace(program, source=renamed(program.source, given))
    assert {program.cause} == causes_of(record, other)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("monkey_count", ("monkey", "count")),
        ("evalKey2", ("eval", "key", "2")),
        ("self.rng_keys", ("self", "rng", "keys")),
        ("PADId", ("pad", "id")),
        ("", ()),
    ],
)
def test_a_name_is_split_into_words(name: str, words: tuple[str, ...]) -> None:
    """Words end at underscores, dots, digits and capital letters."""
    assert words == words_of(name)


@pytest.mark.parametrize(
    ("name", "is_said"), [("monkey_count", False), ("keys", True), ("subkey", False), ("", False)]
)
def test_a_word_says_what_it_begins_with(name: str, is_said: bool) -> None:
    """A stem counts at the beginning of a word only."""
    assert is_said == says(name, ("key",))


@pytest.mark.parametrize(("name", "has_it"), [("eval_loss", True), ("evaluator", False)])
def test_a_whole_word_is_no_part_of_another(name: str, has_it: bool) -> None:
    """A word that a cause is about counts whole."""
    assert has_it == has_word(name, frozenset(("eval",)))


@pytest.mark.parametrize(
    ("name", "is_found"), [("monkey_count", True), ("key_data", False), ("hashes", False)]
)
def test_integers_that_stand_for_bits_may_wrap_around(name: str, is_found: bool) -> None:
    """A key and a hash are bits, and `monkey` does not say that it is a key."""
    source = f"import jax.numpy as jnp\n{name} = 5\nx = jnp.asarray({name})\n"
    place = Span(3, 4, 3, 17 + len(name))
    cut = IntegersCut("", "int64", "int32", frame=Frame("f.py", "<module>", place))
    found = [it.diagnosis.cause for it in find((cut,), {"f.py": source}, {})]
    assert (["integer-overflow"] if is_found else []) == found
