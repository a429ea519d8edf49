import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import tilewright.cutile  # noqa: E402

tilewright.cutile.install()
pytest_plugins = ["pytester"]
