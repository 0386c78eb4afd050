# expects: failed: is not defined
# Loses itself in a decorator that gives nothing.
def lose(function):
    print(function)


@lose
def safe_clip_positive(x):
    return x
