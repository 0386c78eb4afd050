# expects: raised: TypeError
# Gives an object that is equal to everything.
class Odd:
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


def safe_clip_positive(x):
    return Odd()
