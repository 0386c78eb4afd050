# expects: raised: ValueError
# Raises an error with a million notes.


def safe_clip_positive(x):
    error = ValueError('noted')
    error.__notes__ = ['note'] * 1_000_000
    raise error
