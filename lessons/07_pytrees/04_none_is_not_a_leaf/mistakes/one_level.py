# expects: check values
# says: Your answer looks at one level of a dict only. `None` may stand deeper, and trees may be
#     tuples, lists or single arrays.
"""Looks at one level only."""


def override(base, patch):
    return {name: base[name] if new is None else new for name, new in patch.items()}
