"""`python -m tests.fairness soak --rounds N`: rounds by chance, all proven. `attack`: what a lying house can gain."""

from __future__ import annotations

import argparse
import sys

from tests.fairness.soak import soak


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fairness", description=__doc__)
    words = parser.add_subparsers(required=True, dest="word")
    soaking = words.add_parser("soak", help="rounds by chance through the real core, every record proven")
    soaking.add_argument("--rounds", type=int, default=2_000, metavar="N")
    soaking.add_argument("--seed", type=int, default=1, metavar="N")
    soaking.add_argument("--only", type=int, metavar="N", help="only the table with this number")
    options = parser.parse_args()
    return soak(options.rounds, options.seed, options.only)


if __name__ == "__main__":
    sys.exit(main())
