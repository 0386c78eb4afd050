# expects: check values
"""Merges the dicts, Nones and all."""


def override(base, patch):
    return {**base, **patch}
