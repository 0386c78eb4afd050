# expects: raised: ValueError
# Raises an error that is its own cause, by way of another.
first, second = ValueError('first'), KeyError('second')
first.__cause__, second.__cause__ = second, first
first.__context__, second.__context__ = second, first


def safe_clip_positive(x):
    raise first
