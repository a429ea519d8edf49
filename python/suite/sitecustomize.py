"""The suite starts programs of its own, which are to find no GPU either.

Python imports this module at their start, since it is in their path.
"""

import os

if os.environ.get("TILEWRIGHT_SUITE_REPORT"):
    import tilewright.cutile

    tilewright.cutile.install(fake_cuda=True)
    if os.environ.get("TILEWRIGHT_SUITE_MODULES"):
        import modules

        modules.install(os.environ["TILEWRIGHT_SUITE_MODULES"])
