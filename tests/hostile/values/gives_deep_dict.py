# expects: failed: expected
# Gives its answer in dictionaries, a thousand deep.
# or: raised: SystemError
def nest(x):
    for _ in range(1000):
        x = {'in': x}
    return x


def safe_clip_positive(x):
    return nest(x)
