# expects: raised: Odd
# Raises an error of a class whose class raises for everything.
class Meta(type):
    def __getattribute__(cls, name):
        raise RuntimeError('not even the class')

    def __repr__(cls):
        raise RuntimeError('not even the class')


class Odd(Exception, metaclass=Meta):
    pass


def safe_clip_positive(x):
    raise Odd('oh')
