# expects: raised: TypeError
# Gives decimals.
from decimal import Decimal


def safe_clip_positive(x):
    return Decimal('3')
