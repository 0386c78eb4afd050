# expects: raised: TypeError
# Raises what is no exception.


def safe_clip_positive(x):
    raise 'a wish'
