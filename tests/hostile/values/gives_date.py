# expects: raised: TypeError
# Gives a date.
from datetime import date


def safe_clip_positive(x):
    return date.today()
