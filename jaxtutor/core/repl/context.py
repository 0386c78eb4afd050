"""Determines what can be completed at the cursor: a name, an attribute, an argument, …"""

from __future__ import annotations

import keyword
import re
import tokenize
from collections.abc import Iterator

from msgspec import Struct

from jaxtutor.core.data.lines import whole_lines
from jaxtutor.core.repl.commands import COMMANDS

_OPEN = {"(": ")", "[": "]", "{": "}"}
_CLOSE = {")": "(", "]": "[", "}": "{"}
_KEY = re.compile(r"([A-Za-z_][\w.]*(?:\[[^\[\]]*\])*)\[\s*(['\"])([^'\"\n]*)$")
_FROM = re.compile(r"^\s*from\s+([\w.]*)(?:\s+import\s+(?:[\w\s,]*,\s*)?\(?\s*(\w*))?$")
_IMPORT = re.compile(r"^\s*import\s+(?:[\w\s.,]*,\s*)?([\w.]*)$")
_QUOTES = ("'", '"')
_MOST_TOKENS = 400


class Context(Struct, frozen=True):
    """What can be completed at a cursor.

    `kind` is command, argument (of the command `subject`), attribute (of `subject`), name, key,
    module, member, or nothing. `call` is the innermost function whose parentheses are open, and
    `position` or `keyword` the argument that the cursor is in.
    """

    kind: str = "nothing"
    subject: str = ""
    prefix: str = ""
    call: str = ""
    position: int = 0
    keyword: str = ""


def read_context(before: str) -> Context:
    """Parse the text before the cursor."""
    line = before.rpartition("\n")[2]
    if "\n" not in before.strip():
        command = _read_command(before.lstrip())
        if isinstance(command, Context):
            return command
        before = command
    imports = _read_import(line)
    if imports is not None:
        return imports
    key = _KEY.search(line)
    tokens = _tokens(before)
    if tokens is None or key is not None:  # inside a string
        return Context("key", key[1], key[3]) if key else Context()
    return _read_tokens(tokens, before)


def _read_command(text: str) -> Context | str:
    """Parse the name of a command; return the text after it, or other text unchanged."""
    if text.startswith("?"):
        return text.lstrip("?")
    if not text.startswith(":"):
        return text
    word, space, rest = text[1:].partition(" ")
    if not space:
        return Context("command", prefix=word)
    command = COMMANDS.get(word)
    if command is not None and not command.in_worker:
        return Context("argument", word, rest.lstrip())
    return rest


def _read_import(line: str) -> Context | None:
    found = _FROM.match(line)
    if found:
        if found[2] is not None:
            return Context("member", found[1], found[2])
        return Context("module", prefix=found[1])
    found = _IMPORT.match(line)
    return Context("module", prefix=found[1]) if found else None


# ---------------------------------------------------------------- tokens


def _tokens(text: str) -> list[tokenize.TokenInfo] | None:
    """List the tokens of incomplete text; None if it ends inside a string or a comment."""
    found: list[tokenize.TokenInfo] = []
    lines = iter(whole_lines(text))
    try:
        for token in tokenize.generate_tokens(lambda: next(lines, "")):
            if token.type in (tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING):
                found.append(token)
            elif token.type == tokenize.ERRORTOKEN and token.string.strip()[:1] in _QUOTES:
                return None
            if token.type == tokenize.COMMENT and text.endswith(token.string):
                return None
    except tokenize.TokenError as error:
        if "string" in str(error.args[0]):
            return None
    except (SyntaxError, ValueError):  # ValueError: a character that UTF-8 cannot encode
        pass
    if _in_string(text, found):
        return None
    return found[-_MOST_TOKENS:]


def _in_string(text: str, tokens: list[tokenize.TokenInfo]) -> bool:
    """Return whether a quote after the last token opens a string."""
    if not tokens:
        return text.lstrip()[:1] in _QUOTES
    row, column = tokens[-1].end
    rest = "\n".join(text.split("\n")[row - 1 :])[column:]
    return rest.lstrip(" \trbfuRBFU")[:1] in _QUOTES


def _read_tokens(tokens: list[tokenize.TokenInfo], before: str) -> Context:
    call, position, named = _innermost_call(tokens)
    last = tokens[-1] if tokens else None
    touches = last is not None and before.endswith(last.string)
    if last is None:
        return Context("name")
    if last.string == "." and touches:
        subject = _primary(tokens, len(tokens) - 1)
        return _with_call(Context("attribute", subject), call, position, named)
    if last.type == tokenize.NAME and touches and not _is_number_like(last):
        if len(tokens) > 1 and tokens[-2].string == ".":
            subject = _primary(tokens, len(tokens) - 2)
            return _with_call(Context("attribute", subject, last.string), call, position, named)
        return _with_call(Context("name", "", last.string), call, position, named)
    if last.type in (tokenize.NUMBER, tokenize.STRING) and touches:
        return _with_call(Context(), call, position, named)
    return _with_call(Context("name"), call, position, named)


def _is_number_like(token: tokenize.TokenInfo) -> bool:
    return token.string[:1].isdigit()


def _with_call(context: Context, call: str, position: int, named: str) -> Context:
    return Context(context.kind, context.subject, context.prefix, call, position, named)


def _innermost_call(tokens: list[tokenize.TokenInfo]) -> tuple[str, int, str]:
    """Find the call whose parentheses are open at the end, and its argument at the cursor."""
    stack: list[int] = []
    for index, token in enumerate(tokens):
        if token.string in _OPEN and token.type == tokenize.OP:
            stack.append(index)
        elif token.string in _CLOSE and stack:
            stack.pop()
    for start in reversed(stack):
        if tokens[start].string == "(":
            subject = _primary(tokens, start)
            if subject and not keyword.iskeyword(subject):
                return subject, *_argument(tokens[start + 1 :])
    return "", 0, ""


def _argument(tokens: list[tokenize.TokenInfo]) -> tuple[int, str]:
    """Return the position of the last argument, and its keyword if it has one."""
    depth = position = start = 0
    for index, token in enumerate(tokens):
        depth += token.string in _OPEN
        depth -= token.string in _CLOSE
        if token.string == "," and depth == 0:
            position, start = position + 1, index + 1
    now = tokens[start:]
    is_named = len(now) > 1 and now[0].type == tokenize.NAME and now[1].string == "="
    return position, now[0].string if is_named else ""


def _primary(tokens: list[tokenize.TokenInfo], end: int) -> str:
    """Return the expression that ends before a token: names, dots, subscripts and calls."""
    start = end
    while start > 0:
        token = tokens[start - 1]
        if token.string in (")", "]"):
            opening = _opening(tokens, start - 1)
            if opening is None:
                break
            start = opening
            if start == 0 or not _may_precede(tokens[start - 1]):
                break
            continue
        if token.type in (tokenize.NAME, tokenize.STRING) and not keyword.iskeyword(token.string):
            start -= 1
            if start and tokens[start - 1].string == ".":
                start -= 1
                continue
        break
    return "".join(_spaced(tokens[start:end]))


def _may_precede(token: tokenize.TokenInfo) -> bool:
    is_name = token.type == tokenize.NAME and not keyword.iskeyword(token.string)
    return is_name or token.string in (")", "]")


def _opening(tokens: list[tokenize.TokenInfo], close: int) -> int | None:
    depth = 0
    for index in range(close, -1, -1):
        depth += tokens[index].string in _CLOSE
        depth -= tokens[index].string in _OPEN
        if depth == 0:
            return index
    return None


def _spaced(tokens: list[tokenize.TokenInfo]) -> Iterator[str]:
    """Join tokens with spaces between words."""
    before = ""
    for token in tokens:
        if before[-1:].isalnum() and token.string[:1].isalnum():
            yield " "
        yield token.string
        before = token.string
