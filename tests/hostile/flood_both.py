# expects: timed_out: still running after
# It floods both streams.
import sys

while True:
    sys.stdout.write('out ' * 99 + '\n')
    sys.stderr.write('err ' * 99 + '\n')
