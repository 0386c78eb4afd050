# expects: raised: Odd
# Raises an error whose text leaves Python.
class Odd(Exception):
    def __str__(self):
        raise SystemExit(0)


def safe_clip_positive(x):
    raise Odd('oh')
