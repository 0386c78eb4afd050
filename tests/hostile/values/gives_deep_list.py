# expects: failed: expected
# Gives its answer in lists, a thousand deep.
def nest(x):
    for _ in range(1000):
        x = [x]
    return x


def safe_clip_positive(x):
    return nest(x)
