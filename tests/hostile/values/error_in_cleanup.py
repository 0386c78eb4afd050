# expects: raised: OSError
# Raises in a finally, over and over.


def safe_clip_positive(x):
    try:
        raise ValueError('first')
    finally:
        try:
            raise KeyError('second')
        finally:
            raise OSError('third')
