# expects: timed_out: still running after
# It ignores every signal that it may ignore, and loops.
import signal

for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
while True:
    pass
