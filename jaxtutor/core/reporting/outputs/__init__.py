"""Defines what commands print with `--json`, one type for each; see docs/json.md."""
