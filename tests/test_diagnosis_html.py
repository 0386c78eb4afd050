"""Tests the HTML of a diagnosis: the colours of the page, narrow windows, the name of the cause."""

from __future__ import annotations

import re

import pytest

from jaxtutor.core import addresses
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.positions import Span
from jaxtutor.core.reporting.diagnosis_html import STYLE, as_html
from jaxtutor.core.reporting.python_tokens import pieces_by_line
from jaxtutor.integrations.notebook import page_html

SOURCE = 'def f(x):  # a < b\n    """Two\n    lines."""\n    if x > 0:\n        return 1.5\n'
FOUND = Diagnosis(None, "", "key-reuse", "a.py", Span(4, 7, 4, 12), "x > 0", "Says.", "Do.")
FIX = "--- In [3]\n+++ In [3]\n@@ -4,2 +4,1 @@\n-    if x > 0:\n+    x = x + 1\n"


def test_code_is_coloured_by_kind() -> None:
    """Words, numbers and comments of the excerpt have classes, and the carets one of their own."""
    page = as_html(FOUND, SOURCE, "In [3]")
    assert '→ 4      <span class="keyword">if</span> x <span class="operator">&gt;</span>' in page
    assert '<span class="number">1.5</span>' in page
    assert f'<span class="mark">{" " * 12}^^^^^</span>' in page


def test_the_excerpt_reads_as_the_plain_text_does() -> None:
    """The classes add nothing to the text of a line."""
    (code, *_) = re.findall("<pre>(.*?)</pre>", as_html(FOUND, SOURCE, "In [3]"), re.S)
    assert "  3      lines.&quot;&quot;&quot;\n→ 4      if x &gt; 0:" in re.sub("<.*?>", "", code)


def test_a_string_of_several_lines_is_one_in_each() -> None:
    """A line in the middle of a string is known as part of it."""
    pieces = pieces_by_line(SOURCE)
    assert [(4, 10, "string")] == pieces[2]
    assert [(0, 13, "string")] == pieces[3]
    assert [(0, 3, "keyword"), (5, 6, "operator")] == pieces[1][:2]


def test_half_a_program_is_coloured_up_to_its_error() -> None:
    """Source that is not Python is shown, with the colours of what was read."""
    assert "keyword" in {piece.kind for piece in pieces_by_line("if x\n'''never closed")[1]}


def test_a_diff_is_coloured_by_line() -> None:
    """Lines that come and go have classes, and the header of the diff is neither."""
    page = as_html(FOUND, SOURCE, "In [3]", FIX)
    assert '<span class="hunk">--- In [3]</span>' in page
    assert '<span class="removed">-    if x &gt; 0:</span>' in page
    assert '<span class="added">+    x = x + 1</span>' in page


def test_every_colour_is_one_of_the_theme() -> None:
    """No colour is fixed: each is a variable of the page. Long lines are scrolled."""
    colours = re.findall(r"color: ([^}]+?) }", STYLE)
    assert len(colours) > 5
    assert {"var(--jp-"} == {colour[:9] for colour in colours}
    assert "overflow-x: auto" in STYLE


def test_the_cause_is_a_link_where_there_is_a_site() -> None:
    """With an address, the name of the cause leads there, in a new tab."""
    page = as_html(FOUND, SOURCE, "In [3]", address="https://pages.test/?a&b", page="<h1>x</h1>")
    assert '<a href="https://pages.test/?a&amp;b" target="_blank" rel="noopener">' in page
    assert "<details>" not in page


def test_without_a_site_the_cause_opens_its_page() -> None:
    """Without an address, the page stands in a section that is closed at first."""
    page = as_html(FOUND, SOURCE, "In [3]", page=page_html("traced-bool-in-if"))
    assert '<a href="https://docs.jax.dev/en/latest/' in page
    assert "<details><summary>Cause: <code>key-reuse</code></summary><h1>traced-bool" in page
    assert "<p>Cause: <code>key-reuse</code></p>" in as_html(FOUND, SOURCE, "In [3]")


def test_a_page_with_an_address_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """An output holds the page of the cause only if no link leads to it."""
    monkeypatch.setattr(addresses, "SITE", "https://pages.test")
    assert "" == page_html("traced-bool-in-if")
