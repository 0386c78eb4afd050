"""Returns the JSON Schema of an output, which is made from its type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from jaxtutor.core.reporting.outputs import diagnosed, learning, lessons, system, teaching
from jaxtutor.core.reporting.outputs.output import SCHEMA, Output

DIALECT = "https://json-schema.org/draft/2020-12/schema"

OUTPUTS: Mapping[str, type[Output]] = {
    "check": diagnosed.CheckOutput,
    "config-list": system.ConfigListOutput,
    "config-path": system.ConfigPathOutput,
    "config-setting": system.ConfigSettingOutput,
    "course": lessons.CourseOutput,
    "devices": system.DevicesOutput,
    "diagnose": diagnosed.DiagnoseOutput,
    "diff": lessons.DiffOutput,
    "diff-jaxpr": lessons.DiffJaxprOutput,
    "docs": learning.DocsOutput,
    "doctor": system.DoctorOutput,
    "drill": learning.DrillOutput,
    "drill-answer": learning.DrillAnswerOutput,
    "drill-fix": learning.DrillFixOutput,
    "error": system.ErrorOutput,
    "explain": learning.ExplainOutput,
    "explain-index": learning.ExplainIndexOutput,
    "explain-log": diagnosed.ExplainLogOutput,
    "grade": teaching.GradeOutput,
    "hint": lessons.HintOutput,
    "hint-fix": lessons.HintFixOutput,
    "history": lessons.HistoryOutput,
    "lesson-test": teaching.LessonTestOutput,
    "lesson-test-mutants": teaching.MutantsOutput,
    "lint": diagnosed.LintOutput,
    "list": lessons.ListOutput,
    "message": lessons.MessageOutput,
    "predict": learning.PredictOutput,
    "predict-answer": learning.PredictAnswerOutput,
    "review": learning.ReviewOutput,
    "schema": system.SchemaOutput,
    "search": learning.SearchOutput,
    "show": lessons.ShowOutput,
    "solution": lessons.SolutionOutput,
    "stats": learning.StatsOutput,
}
"""The types of the outputs, by the names of their schemas and of their sections in docs/json.md."""


def make_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of an output, in which every key is required."""
    (schema,), parts = msgspec.json.schema_components(
        [OUTPUTS[name]], ref_template="#/$defs/{name}"
    )
    own = parts.pop(schema["$ref"].rpartition("/")[2])
    head = {
        "$schema": DIALECT,
        "$id": f"urn:jaxtutor:output:{SCHEMA}:{name}",
        **own,
        "title": title_of(name),
    }
    return {**head, "$defs": parts} if parts else head


def title_of(name: str) -> str:
    """Return what an output is, without the command that prints it."""
    return (OUTPUTS[name].__doc__ or "").partition(":")[0]
