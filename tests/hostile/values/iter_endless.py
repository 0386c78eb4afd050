# expects: raised: TypeError
# Gives an object that can be iterated for ever.
class Odd:
    def __iter__(self):
        while True:
            yield 1

    def __len__(self):
        return 2**60


def safe_clip_positive(x):
    return Odd()
