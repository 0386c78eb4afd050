"""Tests the addresses of pages on the site, and the commands that name them."""

from __future__ import annotations

import json

import pytest

from jaxtutor.cli import run
from jaxtutor.core import addresses

SITE = "https://example.org/x"


@pytest.fixture
def with_site(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the address of the site, as a published wheel has it."""
    monkeypatch.setattr(addresses, "SITE", SITE)


def test_a_checkout_has_no_site() -> None:
    """Without a site no page has an address."""
    assert "" == addresses.SITE
    assert addresses.page_address("at-set-result-dropped") is None


@pytest.mark.usefixtures("with_site")
def test_each_kind_of_page_has_an_address() -> None:
    """A library's class is found by its last name, and a term by its words."""
    assert f"{SITE}/causes/array-typo/" == addresses.page_address("array-typo")
    assert f"{SITE}/classes/ScopeError/" == addresses.class_address("flax.errors.ScopeError")
    assert f"{SITE}/terms/#weakly-typed" == addresses.term_address("weakly typed")
    assert f"{SITE}/lessons/two-draws/" == addresses.lesson_address("two-draws")
    assert f"{SITE}/course/03_error_clinic/" == addresses.chapter_address("03_error_clinic")
    assert f"{SITE}/guides/coming-from-numpy/" == addresses.guide_address("numpy")


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("traced-bool-in-if", "causes/traced-bool-in-if/"),
        ("jax.errors.TracerBoolConversionError", "classes/TracerBoolConversionError/"),
        ("weak type", "terms/#weakly-typed"),
        ("numpy", "guides/coming-from-numpy/"),
    ],
)
@pytest.mark.usefixtures("with_site")
def test_explain_names_the_address(
    name: str, path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`explain` ends with the address of its page, and its JSON has it."""
    assert 0 == run(["explain", name, "--json"])
    assert f"{SITE}/{path}" == json.loads(capsys.readouterr().out)["address"]
    assert 0 == run(["explain", name, "--plain"])
    assert f"{SITE}/{path}" == capsys.readouterr().out.split()[-1]


def test_explain_without_a_site_names_no_address(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a site the address is null, and the page does not mention one."""
    assert 0 == run(["explain", "traced-bool-in-if", "--json"])
    assert json.loads(capsys.readouterr().out)["address"] is None
    assert 0 == run(["explain", "traced-bool-in-if", "--plain"])
    assert "on the web" not in capsys.readouterr().out


@pytest.mark.usefixtures("with_site")
def test_results_of_a_search_have_addresses(capsys: pytest.CaptureFixture[str]) -> None:
    """Every kind of result has the address of its page."""
    assert 0 == run(["search", "scan", "--all", "--json"])
    results = json.loads(capsys.readouterr().out)["results"]
    kinds = {it["kind"]: it["address"].removeprefix(SITE).split("/")[1] for it in results}
    assert {"lesson": "lessons", "chapter": "course", "cause": "causes"}.items() <= kinds.items()
