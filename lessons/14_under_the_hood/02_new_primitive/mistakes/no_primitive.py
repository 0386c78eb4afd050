# expects: check primitive
# says: Your answer is right, but there is no primitive `my_cube` in the program. This lesson
#     asks for one of your own.
"""Composes what there is, which is nearly always right, and not the task."""

def cube(x):
    return x**3
