"""Makes control characters in untrusted text visible, so that a terminal does not obey them."""

from __future__ import annotations

import unicodedata

_SEPARATORS = "\u2028\u2029"
"""What some terminals take for the end of a line."""

_HARMLESS = frozenset("\u200c\u200d\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u08e2")
"""Format characters that are part of how words and emoji are written: the joiners, and signs that
stand over Arabic and Syriac digits. Others override the direction or are not seen at all."""


def visible(text: str) -> str:
    """Replace control characters, line separators and format characters by visible ones."""
    if text.isprintable():
        return text  # the fast path: most texts, and long ones
    return "".join(_shown(character) for character in text.replace("\t", "    "))


def shorten(text: str, most: int, gap: str = "\u2026") -> str:
    """Replace the middle of a text that has more than `most` characters."""
    if len(text) <= most:
        return text
    kept = max(most - len(gap), 2)
    return f"{text[: kept - kept // 2]}{gap}{text[-(kept // 2) :]}"


def _shown(character: str) -> str:
    code = ord(character)
    if character == "\n":
        return character
    if code < 32:
        return chr(0x2400 + code)
    if 0xD800 <= code < 0xE000:
        return "\ufffd"
    if 127 <= code < 160 or _is_unsafe(character):
        return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return character


def _is_unsafe(character: str) -> bool:
    if character in _SEPARATORS:
        return True
    return unicodedata.category(character) == "Cf" and character not in _HARMLESS
