# expects: check values
"""Looks at one level only."""


def override(base, patch):
    return {name: base[name] if new is None else new for name, new in patch.items()}
