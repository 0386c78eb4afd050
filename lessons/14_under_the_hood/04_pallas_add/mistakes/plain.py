# expects: check primitive
# says: Your answer is right, but the compiler wrote the kernel. This lesson asks you to.
"""Leaves it to the compiler."""


def pallas_add(x, y):
    return x + y
