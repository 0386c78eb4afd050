# expects: raised: ExceptionGroup
# Raises a group of a hundred thousand errors.
error = ExceptionGroup('many', [ValueError(number) for number in range(100_000)])


def safe_clip_positive(x):
    raise error
