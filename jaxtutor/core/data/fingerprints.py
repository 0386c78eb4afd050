"""Names findings so that they are known again after other lines of their file changed."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

Facts = tuple[str, str, str]
"""The cause of a finding, the path of its file, and the text of its line."""


def unique_names(found: Sequence[Facts]) -> list[str]:
    """Return a name for each finding, by its facts; equal ones differ by their order.

    White space does not count, so that a line may move into a block.
    """
    seen = Counter[Facts]()
    names = []
    for cause, path, text in found:
        facts = cause, path, " ".join(text.split())
        seen[facts] += 1
        data = "\0".join((*facts, str(seen[facts]))).encode("utf-8", "replace")
        names.append(hashlib.blake2b(data, digest_size=16).hexdigest())
    return names
