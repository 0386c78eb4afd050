# expects: check values
# says: Your answer lacks the frozen leaves. They should be there, as zeros.
"""Omits the frozen leaves."""


def mask_grads(grads, frozen):
    return {name: part for name, part in grads.items() if not name.startswith(frozen)}
