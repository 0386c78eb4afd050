# expects: raised: ValueError
# Raises an error with ten thousand causes, one behind the other.
error = None
for number in range(10_000):
    later = ValueError(f'number {number}')
    later.__cause__ = error
    error = later


def safe_clip_positive(x):
    raise error
