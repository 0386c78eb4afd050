# expects: raised: SystemExit
# Gives an object whose __repr__ leaves Python.
class Odd:
    def __repr__(self):
        raise SystemExit(0)


def safe_clip_positive(x):
    return Odd()
