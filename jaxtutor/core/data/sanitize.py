"""Makes control characters in untrusted text visible, so that a terminal does not obey them."""

from __future__ import annotations

# Overrides of direction, and separators that some terminals take for the end of a line.
_UNSAFE = frozenset(
    "\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
)


def visible(text: str) -> str:
    """Replace control characters, line separators and bidirectional overrides by visible ones."""
    if text.isprintable():
        return text  # the fast path: most texts, and long ones
    return "".join(_shown(character) for character in text.replace("\t", "    "))


def _shown(character: str) -> str:
    code = ord(character)
    if character == "\n" or (code >= 32 and not 127 <= code < 160 and character not in _UNSAFE):
        return character if not 0xD800 <= code < 0xE000 else "\ufffd"
    return chr(0x2400 + code) if code < 32 else f"\\u{code:04x}"
