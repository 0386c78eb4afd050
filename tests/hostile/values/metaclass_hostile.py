# expects: raised: RuntimeError
# Gives an object of a class whose class raises for everything.
class Meta(type):
    def __getattribute__(cls, *rest):
        raise RuntimeError('not even the class')

    def __repr__(cls, *rest):
        raise RuntimeError('not even the class')

    def __eq__(cls, *rest):
        raise RuntimeError('not even the class')

    def __instancecheck__(cls, *rest):
        raise RuntimeError('not even the class')

    def __subclasscheck__(cls, *rest):
        raise RuntimeError('not even the class')

    def __iter__(cls, *rest):
        raise RuntimeError('not even the class')

    __hash__ = type.__hash__


class Odd(metaclass=Meta):
    pass


def safe_clip_positive(x):
    return object.__new__(Odd)
