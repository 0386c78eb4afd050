# expects: raised: SystemError
# Gives its answer in tuples, a million deep.
def nest(x):
    for _ in range(1_000_000):
        x = (x,)
    return x


def safe_clip_positive(x):
    return nest(x)
