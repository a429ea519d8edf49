"""python -m tilewright: the console script by another name."""

from ._cli import entry

if __name__ == "__main__":
    entry()
