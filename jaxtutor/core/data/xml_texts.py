"""Makes texts fit for XML."""

from __future__ import annotations

import re

from jaxtutor.core.data.sanitize import visible

_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text: str) -> str:
    """Make control characters visible, and replace characters that XML does not allow."""
    return _NO_XML.sub("\ufffd", visible(text))
