# expects: raised: TypeError
# Gives an object that raises when it is asked for its class.
class Odd:
    @property
    def __class__(self):
        raise RuntimeError('classless')


def safe_clip_positive(x):
    return Odd()
