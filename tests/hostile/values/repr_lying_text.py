# expects: raised: TypeError
# Gives an object whose __repr__ gives text that lies about its length and has no parts.
class Odd:
    def __repr__(self):
        return Text('odd')


class Text(str):
    def __len__(self):
        return -1

    def __getitem__(self, item):
        raise RuntimeError('no parts')

    def __str__(self):
        return self

    __repr__ = __str__


def safe_clip_positive(x):
    return Odd()
