"""Diagnoses a failure that was read from a text."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.diagnosis.engine.diagnose import diagnose
from jaxtutor.core.diagnosis.engine.pages import Cause
from jaxtutor.core.diagnosis.logs.placing import NOWHERE, place_in_sources
from jaxtutor.core.diagnosis.logs.reading import LoggedFailure
from jaxtutor.core.diagnosis.logs.versions import as_today


def diagnose_log(
    logged: LoggedFailure, texts: Mapping[str, str], causes: Mapping[str, Cause]
) -> Diagnosis | None:
    """Diagnose a logged failure, with the texts of the files that are here.

    A diagnosis has no file and no place if the text shows no frame. None if it then has no cause.
    """
    failure, sources = place_in_sources(logged, texts)
    is_excerpt = any(texts.get(file) != text for file, text in sources.items())
    found = diagnose(as_today(failure), sources, causes, is_excerpt=is_excerpt)
    if found is None:
        return None
    said = replace(
        found.diagnosis, error_class=failure.error_class, message=logged.failure.message
    )
    if said.file != NOWHERE.file or logged.failure.frames:
        return said
    return replace(said, file="", span=None) if said.cause is not None else None
