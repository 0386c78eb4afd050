# expects: check values
"""Leaves the frozen leaves out."""


def mask_grads(grads, frozen):
    return {name: part for name, part in grads.items() if not name.startswith(frozen)}
