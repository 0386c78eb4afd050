# expects: raised: ExceptionGroup
# Raises groups of errors, a thousand deep.
error = ValueError('the innermost')
for number in range(1000):
    error = ExceptionGroup(f'group {number}', [error])


def safe_clip_positive(x):
    raise error
