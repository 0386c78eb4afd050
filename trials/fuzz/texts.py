"""Generates texts that are likely to break things: escape sequences, line ends, wide characters."""

from __future__ import annotations

from hypothesis import strategies as st

SIGNS = (
    *"\n\r\t\0\x07\x08\x0b\x0c\x1a\x1b\x1c\x1d\x1e\x7f\x80\x85\x9b\x9c\xa0\xad",
    *"\u061c\u200b\u200d\u200e\u2028\u2029\u202a\u202e\u2066\u2069\ufeff\ufffd\uffff",
    *"é日変😀\u0301\u0915\u094d\U0001f1e9\U0001f468\U0010ffff",
    *"aA_09 .,:;'\"\\/()[]{}<>=+-*%@#`|~^&!?$",
    "\r\n",
    "\x1b[31m",
    "\x1b]0;title\x07",
    "\x1b[2J",
    "\u202eevil\u2069",
    "👨\u200d👩\u200d👧",
    "{expression}",
    "{0}",
    "%s",
    "[bold]",
    "..",
    "1e400",
    "9" * 30,
)
"""Characters and short strings that have a special meaning for some program."""

nasty = st.lists(st.one_of(st.sampled_from(SIGNS), st.text(max_size=3)), max_size=24).map("".join)
"""Arbitrary text with many special characters. Lone surrogates have their own strategy."""
line = nasty.map(lambda text: text.replace("\n", "").replace("\r", ""))
widths = st.integers(1, 300)
