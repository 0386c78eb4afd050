# expects: raised: RecursionError
# Gives an object whose __repr__ calls itself.
class Odd:
    def __repr__(self):
        return repr(self)


def safe_clip_positive(x):
    return Odd()
