"""Names a line in a sentence, with its file where that is another than the reader looks at."""

from __future__ import annotations

from jaxtutor.core.data.positions import Span


def line_text(span: Span, file: str | None, shown: str) -> str:
    """Return `line 3`, or `line 3 of model.py` if the file is not the one that is shown."""
    line = f"line {span.line}"
    if file is None or file == shown:
        return line
    is_cell = file.startswith("<") or "ipykernel_" in file
    return f"{line} of {'another cell' if is_cell else file.rpartition('/')[2]}"
