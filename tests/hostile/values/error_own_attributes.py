# expects: raised: Odd
# Raises an error whose cause, context and traceback raise when they are looked at.
class Odd(Exception):
    @property
    def __cause__(self):
        raise RuntimeError('no cause')

    __context__ = __traceback__ = args = __notes__ = __cause__


def safe_clip_positive(x):
    raise Odd('oh')
