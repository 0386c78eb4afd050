"""Tests the names of keys, the prefix key, and which input goes to the editor."""

from __future__ import annotations

import pytest

from jaxtutor.core.terminal.keys import (
    PREFIX,
    InputFilter,
    Keyboard,
    Prefix,
    SplitInput,
    decode,
    is_unfinished,
    parse_prefix,
)

ROWS = 20


def prefix(text: str) -> Prefix:
    """Return a valid prefix key."""
    parsed = parse_prefix(text)
    assert parsed is not None
    return parsed


def gate(text: str = "f12") -> InputFilter:
    """Return an input filter for an editor of twenty rows."""
    return InputFilter(prefix(text), ROWS)


@pytest.mark.parametrize(
    ("sent", "names"),
    [
        (b"aZ?", ["a", "Z", "?"]),
        (b"\r\n\t \x7f\x1b", ["enter", "enter", "tab", "space", "backspace", "escape"]),
        (b"\x03\x04\x1a", ["c-c", "c-d", "c-z"]),
        (b"\x1b[A\x1bOB\x1b[1;5C\x1b[H", ["up", "down", "right", "home"]),
        (b"\x1b[5~\x1b[6~\x1b[4~", ["pageup", "pagedown", "end"]),
        (b"\xc3\xa9", ["é"]),
        (b"\x1bx\x1b\xc3\xa9\x1b\r\x1b\x1b[A", ["a-x", "a-é", "a-enter", "escape", "up"]),
        (b"\x1b[120;3u\x1bP", ["a-x", "a-P"]),
        (b"\x1b[27u\x1b[13u\x1b[99;5u", ["escape", "enter", "c-c"]),
        (b"\x1b[97;1:3u\x1b[1;1:3A", []),
        (b"\x1b[200~quit\x1b[201~x", ["x"]),
        (b"\x1b[<0;3;4M\x1b[M !!y", ["y"]),
        (b"\x1b[?1;2c\x1b]11;rgb:0/0/0\x07\x1b[24;80Rz", ["z"]),
        (b"\x1b[15~\x1bOP\x1b[3~\x1b[Z", ["f5", "f1", "delete", "backtab"]),
    ],
    ids=repr,
)
def test_keys_have_names(sent: bytes, names: list[str]) -> None:
    """A key has one name in all encodings; pastes, the mouse and answers are not keys."""
    assert names == decode(sent)


@pytest.mark.parametrize(
    ("text", "name", "raw"),
    [
        ("f12", "F12", b"\x1b[24~"),
        ("F1", "F1", b"\x1bOP"),
        ("c-]", "Ctrl-]", b"\x1d"),
        ("^o", "Ctrl-O", b"\x0f"),
    ],
)
def test_a_prefix_is_a_function_key_or_a_control(text: str, name: str, raw: bytes) -> None:
    """A function key or a control key is a valid prefix, with the bytes to send an editor."""
    parsed = prefix(text)

    assert (name, raw) == (parsed.name, parsed.raw)


@pytest.mark.parametrize("text", ["", "space", "f13", "x", "c-", "alt-x"])
def test_all_else_is_no_prefix(text: str) -> None:
    """Other keys are refused as prefix."""
    assert parse_prefix(text) is None


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("f12", b"\x1b[24~"),
        ("f12", b"\x1b[24;1:1~"),
        ("c-]", b"\x1d"),
        ("c-]", b"\x1b[93;5u"),
        ("c-]", b"\x1b[27;5;93~"),
        ("f1", b"\x1bOP"),
        ("f1", b"\x1b[11~"),
        ("f1", b"\x1b[P"),
    ],
)
def test_the_prefix_is_known_in_all_its_forms(text: str, sent: bytes) -> None:
    """The prefix is recognised in every keyboard protocol that an editor may request."""
    assert SplitInput(b"ab", after=b"h") == gate(text).split(b"ab" + sent + b"h")


def test_letting_the_prefix_go_is_nobodys() -> None:
    """The release of the prefix key reaches neither editor nor panel."""
    assert SplitInput(b"ab") == gate().split(b"a\x1b[24;1:3~b")


def test_the_prefix_in_a_paste_is_text() -> None:
    """The prefix inside a paste goes to the editor, also across several reads."""
    pasting = gate()
    parts = [b"\x1b[200~\x1b[24~", b"\x1b[24~", b"\x1b[201~"]

    assert [SplitInput(part) for part in parts] == [pasting.split(part) for part in parts]
    assert pasting.split(b"\x1b[24~").after == b""


def test_the_mouse_above_is_the_editors() -> None:
    """Clicks in the editor's rows pass."""
    assert SplitInput(b"\x1b[<0;5;20M") == gate().split(b"\x1b[<0;5;20M")


def test_the_mouse_below_is_ours() -> None:
    """Clicks and the wheel in the panel's rows are reported to us, not to the editor."""
    assert SplitInput(b"k", wheel=1, clicks=((5, 21), (1, 25))) == gate().split(
        b"\x1b[<0;5;21M\x1b[<65;5;25Mk\x1b[M !9"
    )


def test_the_mouse_above_is_nobodys_without_the_editor() -> None:
    """Reports that only we requested do not reach an editor that does not expect them."""
    ours = gate()
    ours.has_mouse = False

    assert SplitInput(b"k", clicks=((5, 21),)) == ours.split(
        b"\x1b[<0;5;20Mk\x1b[<0;5;20m\x1b[<0;5;21M\x1b[<0;5;21m"
    )


def test_the_release_of_our_click_is_ours() -> None:
    """A button that was pressed in our rows is released for us, wherever the pointer is then."""
    ours = gate()

    assert SplitInput(b"", clicks=((5, 21),)) == ours.split(b"\x1b[<0;5;21M\x1b[<0;5;20m")
    assert b"\x1b[<0;5;20M" == ours.split(b"\x1b[<0;5;20M").editor


def test_pasted_text_is_marked() -> None:
    """Every piece of a paste is marked, which distinguishes it from answers to queries."""
    keyboard = Keyboard()
    keys = [*keyboard.feed(b"\x1b[?1;2c\x1b[200~a"), *keyboard.feed(b"b\x1b[201~x")]

    assert [False, True, True, True, False] == [key.is_paste for key in keys]


def test_a_drag_that_leaves_ends_at_the_edge() -> None:
    """Drags and releases below the editor are reported to it in its last row."""
    assert SplitInput(b"\x1b[<32;5;20M\x1b[<0;5;20m") == gate().split(
        b"\x1b[<32;5;25M\x1b[<0;5;25m"
    )


def test_a_paste_whose_end_comes_in_two_parts() -> None:
    """After a paste that is split into reads, the prefix is recognised."""
    pasted = b"\x1b[200~text\x1b[201~"
    for cut in range(7, len(pasted)):
        pasting = gate()
        pasting.split(pasted[:cut])

        assert SplitInput(pasted[cut:], after=b"h") == pasting.split(pasted[cut:] + b"\x1b[24~h")


def test_a_mark_in_a_paste() -> None:
    """A paste that contains the start of a paste continues, and many pastes are separated."""
    nested = b"\x1b[200~a\x1b[200~b\x1b[24~c\x1b[<0;3;99M\x1b[201~"
    many = b"\x1b[200~q\x1b[201~" * 5000

    assert SplitInput(nested, after=b"h") == gate().split(nested + b"\x1b[24~h")
    assert SplitInput(many, after=b"") == gate().split(many + b"\x1b[24~")


@pytest.mark.parametrize(
    ("sent", "left"),
    [
        (b"h\x1b[A\x1b[15~\x1b[99;5u\r\x1b", b""),
        (b"h\x1b[?1;2cj", b"\x1b[?1;2c"),
        (b"\x1b[24;80R\x1b[I\x1b[?2026;2$y", b"\x1b[24;80R\x1b[I\x1b[?2026;2$y"),
        (b"\x1b]11;rgb:0/0/0\x07q\x1bP1+r\x1b\\", b"\x1b]11;rgb:0/0/0\x07\x1bP1+r\x1b\\"),
        (b"\x1b[<0;3;4Mv", b"\x1b[<0;3;4M"),
        (b"q\x1b[200~quit\x1b[201~", b"\x1b[200~quit\x1b[201~"),
    ],
    ids=repr,
)
def test_what_is_no_key_is_left(sent: bytes, left: bytes) -> None:
    """A terminal's answers go to the editor even while the panel has the keys."""
    keyboard = Keyboard()
    keys = keyboard.feed(sent) + keyboard.settle()

    assert left == b"".join(key.raw for key in keys if key.is_other)


WHOLE: dict[bytes, list[str]] = {
    b"\x1b[A": ["up"],
    b"\x1bOB": ["down"],
    b"\x1b[1;5C": ["right"],
    b"\x1b[99;5u": ["c-c"],
    b"\x1b[24~": [PREFIX],
    b"\x1b[24;1:3~": [],
    "é✓🎉".encode(): ["é", "✓", "🎉"],
    b"\x1b[?62;22c": [],
    b"\x1b[24;80R": [],
    b"\x1b[I\x1b[O": [],
    b"\x1b[?2026;2$y": [],
    b"\x1b[?1u": [],
    b"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\": [],
    b"\x1b]52;c;cXVpdA==\x07": [],
    b"\x1bP1+r544e=787465726d\x1b\\": [],
    b"\x1bP1$r0 q\x1b\\": [],
    b"\x1bP>|xterm(379)\x1b\\": [],
    b"\x1b_Gi=31;OK\x1b\\": [],
    b"\x1b[<0;33;44M\x1b[<0;33;44m": [],
    b"\x1b[M q!": [],
    b"\x1b[32;33;44M": [],
    b"\x1b[[A": [],
    b"\x1b[200~try q\x1b[A\x1b]0;\x1b[201~": [],
}


@pytest.mark.parametrize("sent", WHOLE, ids=repr)
def test_a_key_in_parts(sent: bytes) -> None:
    """Keys do not depend on how input is split, and an answer contains none."""
    for first in range(len(sent) + 1):
        for second in range(first, len(sent) + 1):
            keyboard = Keyboard(prefix("f12"))
            parts = sent[:first], sent[first:second], sent[second:], b"x"
            keys = [key for part in parts for key in keyboard.feed(part)]

            assert [*WHOLE[sent], "x"] == [key.name for key in keys if key.name]
            assert sent + b"x" == b"".join(key.raw for key in keys)


def test_what_never_ends() -> None:
    """An escape becomes a key after a moment, and an endless string is passed on later."""
    keyboard = Keyboard()
    waits, names = [keyboard.timeout], []
    for begun in (b"\x1b", b"\x1b]", b"\x1b]11;rgb", b"\x1b[200~q", b"\xe2\x9c"):
        keys = keyboard.feed(begun)
        waits.append(keyboard.timeout)
        names.append([key.name for key in keys + keyboard.settle() if key.name])
    keys = keyboard.feed(b"q")

    assert [None, 0.05, 0.05, 1.0, 1.0, 1.0] == waits
    assert [["escape"], ["a-]"], [], [], []] == names
    assert (["q"], None) == ([key.name for key in keys], keyboard.timeout)


@pytest.mark.parametrize(
    ("data", "unfinished"),
    [
        (b"\x1b[", True),
        (b"a\x1b[24", True),
        (b"\x1b[<0;5;", True),
        (b"\x1bO", True),
        (b"\x1b", False),
        (b"\x1b[24~", False),
        (b"a[24", False),
    ],
)
def test_what_one_key_sends_may_come_in_two_parts(data: bytes, unfinished: bool) -> None:
    """A sequence that is split is recognised, and a single escape is a key."""
    assert unfinished == is_unfinished(data)
