# expects: timed_out: still running after
# It waits for a program that does not end.
import subprocess

subprocess.run(["sleep", "1000"], check=True)
