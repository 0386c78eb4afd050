# expects: raised: Odd
# Raises an error whose text raises.
class Odd(Exception):
    def __str__(self):
        raise ValueError('unspeakable')

    __repr__ = __str__


def safe_clip_positive(x):
    raise Odd('oh')
