"""Generates unusual sources that cannot be stored in tests/hostile, too large or not plain text."""

from __future__ import annotations

from collections.abc import Iterator

from jaxtutor.storage.workspace import LARGEST_SUBMISSION
from trials.kinds import Kind, make
from trials.submissions import RIGHT

_TEXT = RIGHT.decode()

_REFUSED = "refused: Save it as UTF-8"
_LARGE = "refused: larger than 256 KiB"
_DEEP = "raised: nested too deeply"
_NESTED = "raised: too many nested"


def kinds() -> Iterator[Kind]:
    """Yield each generated kind."""
    yield from _encodings()
    yield from _lines()
    yield from _large()
    yield from _deep()


def _made(name: str, expects: str, does: str, source: bytes | str) -> Kind:
    data = source if isinstance(source, bytes) else source.encode()
    return make(f"made_{name}", f"# expects: {expects}\n# {does}", data)


def _encodings() -> Iterator[Kind]:
    accented = _TEXT + "\n# d\u00e9j\u00e0 vu\n"
    yield _made(
        "nul_bytes", "refused: null bytes", "It has a null byte in its text.", RIGHT + b"\0\n"
    )
    yield _made("nul_only", "refused: null bytes", "It consists of null bytes.", bytes(1000))
    yield _made("empty", "failed: is not defined", "It is empty.", b"")
    yield _made("comments", "failed: is not defined", "It is comments.", "# nothing\n" * 1000)
    yield _made("utf16", _REFUSED, "It is UTF-16.", _TEXT.encode("utf-16"))
    yield _made(
        "utf16_unmarked",
        "refused: null bytes",
        "It is UTF-16 without a mark.",
        _TEXT.encode("utf-16-le"),
    )
    yield _made("utf32", _REFUSED, "It is UTF-32.", _TEXT.encode("utf-32"))
    yield _made(
        "utf7",
        "passed|refused: ",
        "It is UTF-7, and says so.",
        b"# coding: utf-7\n" + _TEXT.encode("utf-7"),
    )
    yield _made(
        "latin1", _REFUSED, "It is Latin-1, and does not say so.", accented.encode("latin-1")
    )
    yield _made(
        "latin1_named",
        "passed: checks pass",
        "It is Latin-1, and says so.",
        b"# coding: latin-1\n" + accented.encode("latin-1"),
    )
    yield _made(
        "coding_lies",
        "refused: Save it as UTF-8",
        "It says that it is ASCII.",
        b"# coding: ascii\n" + accented.encode(),
    )
    yield _made(
        "coding_unknown",
        "refused: Remove the coding line",
        "It says that it is in an encoding that nobody knows.",
        b"# coding: klingon\n" + RIGHT,
    )
    yield _made(
        "coding_no_text",
        "refused: Remove the coding line",
        "It says that it is encoded for mail.",
        b"# coding: base64\n" + RIGHT,
    )
    yield _made(
        "coding_long",
        "refused|passed: ",
        "It names an encoding at great length.",
        b"# coding: " + b"u" * 100_000 + b"\n" + RIGHT,
    )
    yield _made(
        "bom", "passed: checks pass", "It begins with the mark of UTF-8.", b"\xef\xbb\xbf" + RIGHT
    )
    yield _made(
        "bom_twice",
        "raised: SyntaxError",
        "It begins with the mark of UTF-8, twice.",
        b"\xef\xbb\xbf" * 2 + RIGHT,
    )
    yield _made(
        "bom_and_coding",
        "refused|passed: ",
        "It has the mark of UTF-8 and says that it is Latin-1.",
        b"\xef\xbb\xbf# coding: latin-1\n" + RIGHT,
    )
    yield _made(
        "surrogates", _REFUSED, "It spells half of a character.", RIGHT + b"# \xed\xa0\x80\n"
    )
    yield _made(
        "surrogate_escapes",
        "passed: checks pass",
        "It has text with half of a character.",
        _TEXT + "text = '\\ud800'\nprint(repr(text))\n",
    )
    yield _made(
        "prints_surrogates",
        "passed: checks pass",
        "It prints half of a character.",
        _TEXT + "print('\\ud800\\udfff')\n",
    )
    yield _made(
        "random_bytes",
        "refused: null bytes",
        "It is the bytes of no text at all.",
        bytes(range(256)) * 50,
    )


def _lines() -> Iterator[Kind]:
    yield _made(
        "cr",
        "passed: checks pass",
        "Its lines end with a carriage return alone.",
        RIGHT.replace(b"\n", b"\r"),
    )
    yield _made(
        "crlf", "passed: checks pass", "Its lines end as on Windows.", RIGHT.replace(b"\n", b"\r\n")
    )
    yield _made(
        "mixed_ends",
        "passed: checks pass",
        "Each of its lines ends in another way.",
        RIGHT.replace(b"\n\n", b"\r\n\r"),
    )
    yield _made(
        "no_last_line_end", "passed: checks pass", "Its last line has no end.", RIGHT.rstrip()
    )
    yield _made("last_backslash", "raised: SyntaxError", "It ends with a backslash.", RIGHT + b"\\")
    yield _made(
        "form_feeds",
        "passed: checks pass",
        "It has form feeds between its parts.",
        RIGHT.replace(b"\n\n", b"\n\x0c\n"),
    )
    yield _made(
        "tabs", "passed: checks pass", "It is indented with tabs.", RIGHT.replace(b"    ", b"\t")
    )
    yield _made(
        "tabs_and_spaces",
        "raised: TabError",
        "It is indented with tabs and spaces.",
        _TEXT + "\n\ndef other():\n\tx = 1\n        return x\n",
    )
    yield _made(
        "separators",
        "passed: checks pass",
        "It has every character that some take for the end of a line.",
        _TEXT + "# \x0b \x0c \x1c \x1d \x1e \x85 \u2028 \u2029 end\n",
    )
    yield _made(
        "separators_before_error",
        "raised: NameError",
        "It has characters that some take for line ends, before its error.",
        "text = '''\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029'''\n" * 5
        + "\n\ndef safe_clip_positive(x):\n    return y\n",
    )
    yield _made(
        "bidi",
        "raised: NameError",
        "It has characters that turn text round, before its error.",
        "# \u202e\u2066 \u200b\u200d\ufeff\n\n\ndef safe_clip_positive(x):\n"
        "    return y  # \u202edesrever\n",
    )
    yield _made(
        "escapes_in_source",
        "raised: NameError",
        "It has escape sequences in the line of its error.",
        "\ndef safe_clip_positive(x):\n    return y + '\x1b[2J\x1b]0;owned\x07'\n",
    )
    yield _made(
        "control_character",
        "raised: SyntaxError",
        "It has an escape character between its words.",
        "\ndef safe_clip_positive(x):\n    return \x1b[31mx\n",
    )
    yield _made(
        "zero_width",
        "raised: SyntaxError",
        "It has a space of no width between its words.",
        "\ndef safe_clip_positive(x):\n    return\u200b x\n",
    )
    yield _made(
        "homoglyphs",
        "passed: checks pass",
        "It spells its names with letters that only look the same to Python.",
        _TEXT.replace("jnp.where", "\uff4anp.\uff57here"),
    )
    yield _made(
        "homoglyph_function",
        "passed: checks pass",
        "It spells the name of its function in wide letters.",
        _TEXT.replace("def s", "def \uff53"),
    )
    yield _made(
        "cyrillic",
        "failed: is not defined",
        "It spells its function with a letter of another alphabet.",
        _TEXT.replace("def safe", "def s\u0430fe"),
    )
    yield _made(
        "wide_letters_error",
        "raised: TracerBoolConversionError",
        "It has letters of two columns and of four bytes before its error.",
        "\ndef safe_clip_positive(x):\n    return '\u65e5\u672c\U0001f600' if x[0] < 0 else x\n",
    )


def _large() -> Iterator[Kind]:
    yield _made("ten_megabytes", _LARGE, "It is ten megabytes.", RIGHT + b"# padding\n" * 1_000_000)
    yield _made(
        "one_byte_more",
        _LARGE,
        "It is one byte more than is read.",
        RIGHT + b"#" * (LARGEST_SUBMISSION - len(RIGHT) + 1),
    )
    yield _made(
        "as_large_as_may_be",
        "passed: checks pass",
        "It is as large as is read.",
        RIGHT + b"#" * (LARGEST_SUBMISSION - len(RIGHT)),
    )
    yield _made(
        "one_long_line",
        "raised: NameError",
        "It has its error at the end of a line of a quarter of a million letters.",
        "\ndef safe_clip_positive(x):\n    return '" + "x" * 250_000 + "' + y\n",
    )
    yield _made(
        "many_lines",
        "raised: NameError",
        "It has its error after twenty thousand lines.",
        "x = 1\n" * 20_000 + "\n\ndef safe_clip_positive(x):\n    return y\n",
    )
    yield _made(
        "many_functions",
        "passed: checks pass",
        "It has five thousand functions.",
        _TEXT + "".join(f"def f{n}(x): return x\n" for n in range(5_000)),
    )
    yield _made(
        "many_names",
        "raised: NameError",
        "It has ten thousand names in the function that errs.",
        "\ndef safe_clip_positive(x):\n"
        + "".join(f"    name{n} = x\n" for n in range(10_000))
        + "    return y\n",
    )
    yield _made(
        "many_arguments",
        "raised: TracerBoolConversionError\n# or: raised: ValueError",  # since jax 0.12
        "It has a call with five thousand arguments.",
        "\ndef safe_clip_positive(x):\n    return max(" + "x, " * 5_000 + ")\n",
    )
    yield _made(
        "large_number",
        "raised: 4300 digits",
        "It has a number of a hundred thousand digits.",
        "number = " + "9" * 100_000 + "\n" + _TEXT,
    )
    yield _made(
        "large_constant",
        "raised: MemoryError",
        "It has a constant that is larger than any memory.",
        "table = [0] * 10**12\n" + _TEXT,
    )
    yield _made(
        "folded_constant",
        "timed_out|raised|crashed: ",
        "It has a power that the compiler would work out.",
        "number = 2**2**2**2**2**2**2\n" + _TEXT,
    )
    yield _made(
        "many_elifs",
        "raised|passed: ",
        "It has five thousand branches, one after the other.",
        "\ndef safe_clip_positive(x):\n    if x.ndim == 9:\n        return x\n"
        + "".join(f"    elif x.ndim == {n + 10}:\n        return x\n" for n in range(5_000))
        + "    return jnp.where(x < 0, 0, x)\n\n\nimport jax.numpy as jnp\n",
    )


def _deep() -> Iterator[Kind]:
    def value(name: str, does: str, text: str, expects: str = _DEEP) -> Kind:
        return _made(name, expects, does, f"{_TEXT}\n\nodd = {text}\n")

    yield value(
        "parentheses",
        "It nests a hundred thousand parentheses.",
        "(" * 100_000 + "1" + ")" * 100_000,
        _NESTED,
    )
    yield value(
        "parentheses_open", "It opens a hundred thousand parentheses.", "(" * 100_000, _NESTED
    )
    yield value("lists", "It nests a hundred lists.", "[" * 150 + "]" * 150, "passed: checks pass")
    yield value(
        "deep_lists", "It nests fifty thousand lists.", "[" * 50_000 + "]" * 50_000, _NESTED
    )
    yield value(
        "brackets", "It nests all brackets by turns.", "([{" * 10_000 + "}])" * 10_000, _NESTED
    )
    yield value(
        "unary", "It has a hundred thousand signs before a number.", "-" * 100_000 + "1", _DEEP
    )
    yield value("nots", "It negates sixty thousand times.", "not " * 60_000 + "1", _DEEP)
    yield value("invert", "It inverts a hundred thousand times.", "~" * 100_000 + "1", _DEEP)
    yield value("powers", "It raises to a power fifty thousand times.", "1" + "**1" * 50_000, _DEEP)
    yield value("attributes", "It follows ten thousand attributes.", "jnp" + ".a" * 10_000, _DEEP)
    yield value(
        "attributes_more",
        "It follows a hundred and twenty thousand attributes.",
        "jnp" + ".a" * 120_000,
        _DEEP,
    )
    yield value(
        "calls", "It calls what it called ten thousand times.", "jnp" + "()" * 10_000, _DEEP
    )
    yield value(
        "indices",
        "It looks into what it looked into ten thousand times.",
        "jnp" + "[0]" * 10_000,
        _DEEP,
    )
    yield value("plus", "It adds ten thousand numbers.", "+".join(["jnp.pi"] * 10_000), _DEEP)
    yield value(
        "plus_more", "It adds a hundred thousand numbers.", "+".join(["1"] * 100_000), _DEEP
    )
    yield value(
        "comparisons",
        "It compares ten thousand numbers.",
        "<".join(["1"] * 10_000),
        "passed: checks pass",
    )
    yield value(
        "ands",
        "It joins forty thousand conditions.",
        " and ".join(["1"] * 40_000),
        "passed: checks pass",
    )
    yield value("ifs", "It chooses ten thousand times.", "1 if 0 else " * 10_000 + "1", _DEEP)
    yield value("lambdas", "It nests ten thousand lambdas.", "lambda: " * 10_000 + "1", _DEEP)
    yield value(
        "fstrings", "It nests texts in texts.", 'f"{' * 200 + "1" + '}"' * 200, "raised: f-string"
    )
    yield value(
        "comprehensions",
        "It has a thousand loops in one list.",
        "[1 " + "for x in [1] " * 1_000 + "]",
        "passed: checks pass",
    )
    yield _made(
        "functions",
        "raised: too many levels of indentation",
        "It nests six hundred functions.",
        _TEXT + "\n\n" + "".join(" " * n + "def f():\n" for n in range(600)) + " " * 600 + "pass\n",
    )
    yield _made(
        "blocks",
        "raised: too many statically nested blocks",
        "It nests thirty loops.",
        _TEXT
        + "\n\n"
        + "".join(" " * n + "for x in []:\n" for n in range(30))
        + " " * 30
        + "pass\n",
    )
    yield _made(
        "indents",
        "raised: too many levels of indentation",
        "It is indented six hundred times.",
        _TEXT + "\n\n" + "".join(" " * n + "if 1:\n" for n in range(600)) + " " * 600 + "pass\n",
    )
    yield _made(
        "error_in_deep",
        "raised: NameError",
        "It errs in a sum of a thousand terms.",
        "\ndef safe_clip_positive(x):\n    return " + " + ".join(["x"] * 1_000) + " + y\n",
    )
    yield _made(
        "error_in_attributes",
        "raised: AttributeError",
        "It errs in a chain of a thousand attributes.",
        "\ndef safe_clip_positive(x):\n    return x" + ".T" * 1_000 + ".odd\n",
    )
    yield _made(
        "error_in_calls",
        "raised: TypeError",
        "It errs in a chain of a thousand calls.",
        "\ndef safe_clip_positive(x):\n    return x" + ".sum()" * 1_000 + "()\n",
    )
    yield _made(
        "deep_decorators",
        "passed: checks pass",
        "It has ten thousand decorators.",
        "def same(f):\n    return f\n\n\n"
        + "@same\n" * 10_000
        + _TEXT.replace("\nimport jax.numpy as jnp\n\n\n", "")
        + "\n\nimport jax.numpy as jnp\n",
    )
