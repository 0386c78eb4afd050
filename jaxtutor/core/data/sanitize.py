"""Makes untrusted text safe to show: control characters become visible signs."""

from __future__ import annotations

# Overrides of direction, and separators that some terminals take for the end of a line.
_UNSAFE = frozenset(
    "\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
)


def visible(text: str) -> str:
    """Return text with control characters, line separators and direction overrides made visible."""
    if text.isprintable():
        return text  # nothing in it is obeyed; most texts are so, and long
    return "".join(_shown(character) for character in text.replace("\t", "    "))


def _shown(character: str) -> str:
    code = ord(character)
    if character == "\n" or (code >= 32 and not 127 <= code < 160 and character not in _UNSAFE):
        return character if not 0xD800 <= code < 0xE000 else "\ufffd"
    return chr(0x2400 + code) if code < 32 else f"\\u{code:04x}"
