# expects: crashed: SIG
# It allows itself a second of processor time, and uses it up.
# or: timed_out: still running after
import resource

resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
while True:
    pass
