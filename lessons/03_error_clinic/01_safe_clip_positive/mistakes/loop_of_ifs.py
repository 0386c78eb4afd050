# expects: traced-bool-in-if at 6
"""Asks Python to choose for each element."""

def safe_clip_positive(x):
    for i in range(len(x)):
        if x[i] < 0:
            x = x.at[i].set(0)
    return x
