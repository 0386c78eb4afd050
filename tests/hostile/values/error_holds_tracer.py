# expects: raised: ValueError
# Raises an error that holds the tracer, and writes it.


def safe_clip_positive(x):
    raise ValueError(x)
