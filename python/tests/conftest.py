import os
import sys

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, HERE)
os.environ["PYTHONPATH"] = os.pathsep.join(p for p in (HERE, os.environ.get("PYTHONPATH")) if p)  # for programs that tests start
os.environ["TILEWRIGHT_CACHE"] = ""  # what a search finds is found anew, and leaves nothing behind

import tilewright.cutile  # noqa: E402

tilewright.cutile.install()
pytest_plugins = ["pytester"]
