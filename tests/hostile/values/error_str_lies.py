# expects: raised: Odd
# Raises an error whose text is of a class that lies.
class Text(str):
    def __len__(self):
        return -5

    def __getitem__(self, item):
        raise RuntimeError('no parts')

    def __contains__(self, item):
        raise RuntimeError('no parts')

    __repr__ = __str__ = lambda self: self


class Odd(Exception):
    def __str__(self):
        return Text('a lie')


def safe_clip_positive(x):
    raise Odd('oh')
