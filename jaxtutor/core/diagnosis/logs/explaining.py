"""Diagnoses a failure that was read from a text."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

from msgspec.structs import replace

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.diagnosis.engine.diagnose import diagnose
from jaxtutor.core.diagnosis.engine.fallback_summaries import summarise
from jaxtutor.core.diagnosis.engine.pages import Cause
from jaxtutor.core.diagnosis.logs.frames import UNKNOWN_FILE
from jaxtutor.core.diagnosis.logs.placing import place_in_sources
from jaxtutor.core.diagnosis.logs.reading import LoggedFailure
from jaxtutor.core.diagnosis.logs.versions import as_today


def diagnose_log(
    logged: LoggedFailure, texts: Mapping[str, str], causes: Mapping[str, Cause]
) -> Diagnosis | None:
    """Diagnose a logged failure, with the texts of the files that are here.

    A diagnosis has no file and no place if the text shows no frame. None if it then has no cause.
    """
    written = logged.failure
    with warnings.catch_warnings(action="ignore"):  # they concern the author of the quoted code
        failure, sources = place_in_sources(replace(logged, failure=as_today(written)), texts)
        is_excerpt = any(texts.get(file) != text for file, text in sources.items())
        has_own = bool(written.frames) and not logged.is_in_library
        found = diagnose(failure, sources, causes, is_excerpt=is_excerpt, has_own_frame=has_own)
    if found is None:
        return None
    made = replace(found.diagnosis, error_class=written.error_class, message=written.message)
    if made.cause is None:
        made = replace(made, summary=summarise(written))
    if made.file != UNKNOWN_FILE:
        return made
    if written.frames:
        return replace(made, file="")
    return replace(made, file="", span=None) if made.cause is not None else None
