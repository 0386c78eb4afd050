# expects: check values
# says: Your answer keeps every `None` of the patch. Where the patch has `None`, the part of
#     `base` should stay.
"""Merges the dicts, None included."""


def override(base, patch):
    return {**base, **patch}
