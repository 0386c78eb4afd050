# expects: timed_out: still running
# Raises an error whose text does not end.
class Odd(Exception):
    def __str__(self):
        while True:
            pass


def safe_clip_positive(x):
    raise Odd('oh')
