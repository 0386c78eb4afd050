# expects: timed_out: still running
# Gives an object that never answers for an attribute.
class Odd:
    def __getattribute__(self, name):
        while True:
            pass


def safe_clip_positive(x):
    return Odd()
