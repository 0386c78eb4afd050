# expects: traced-bool-in-if at 6
"""Answers another question: is there any large element?"""


def soft_shrink(x, lam):
    if (x > lam).any():
        x = x - lam
    return x
