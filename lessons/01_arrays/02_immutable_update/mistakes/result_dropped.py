# expects: at-set-result-dropped at 6
"""Takes `.set` for a command."""


def replace_at(x, i, v):
    x.at[i].set(v)
    return x
