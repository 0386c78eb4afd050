"""A recursion over the containers."""


def override(base, patch):
    if patch is None:
        return base
    if isinstance(patch, dict):
        return {name: override(base[name], patch[name]) for name in patch}
    if isinstance(patch, list | tuple):
        return type(patch)(map(override, base, patch))
    return patch
