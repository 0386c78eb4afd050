# expects: crashed|timed_out: 
# Its children hold the memory that it may not have itself.
import subprocess
import sys
import time

EAT = "import time; kept = b'x' * (600 << 20); time.sleep(1000)"
for _ in range(3):
    subprocess.Popen([sys.executable, "-S", "-c", EAT])
time.sleep(1000)
