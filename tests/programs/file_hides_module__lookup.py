# expects: file-hides-module at 12
import sys
from pathlib import Path

folder = Path(__file__).with_name("exercises")
folder.mkdir(exist_ok=True)
(folder / "statistics.py").write_text("scores = [1, 2]")
sys.path.insert(0, str(folder))
sys.modules.pop("statistics", None)
import statistics

print(statistics.fmean([1, 2]))
