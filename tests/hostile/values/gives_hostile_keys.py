# expects: raised: ValueError
# Gives a dictionary whose keys raise when they are compared.
class Odd:
    def __lt__(self, other):
        raise RuntimeError('no order')

    def __repr__(self):
        raise RuntimeError('no name')


def safe_clip_positive(x):
    return {Odd(): x, Odd(): x}
