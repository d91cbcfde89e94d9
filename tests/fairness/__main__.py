"""Long runs about the fair deal, through the real core.

python -m tests.fairness soak --rounds N      rounds of both games by chance, every record proven by the verifier
python -m tests.fairness sample --rounds N    rounds of a soak before both verifiers, and how long each takes
python -m tests.fairness secrecy --rounds N   every frame, snapshot and state read for what nobody may know yet
python -m tests.fairness attack --rounds N    what a house gains that lies about missing reveals, and who sees it
"""

from __future__ import annotations

import argparse
import sys

from tests.fairness import attack, sample, secrecy, soak
from tests.fairness.progress import Progress


def main() -> int:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m tests.fairness", description=__doc__, formatter_class=plain)
    words = parser.add_subparsers(required=True, dest="word", metavar="WORD")
    for word, rounds in (("soak", 2_000), ("sample", 1_000), ("secrecy", 10_000), ("attack", 500)):
        made = words.add_parser(word)
        made.add_argument("--rounds", type=int, default=rounds, metavar="N")
        made.add_argument("--seed", type=int, default=1, metavar="N")
        if word == "soak":
            made.add_argument("--only", type=int, metavar="N", help="only the table with this number")
    options = parser.parse_args()
    match options.word:
        case "soak":
            return soak.soak(options.rounds, options.seed, Progress(), options.only)
        case "sample":
            return sample.main(options.rounds, options.seed, Progress())
        case "secrecy":
            return secrecy.main(options.rounds, options.seed, Progress())
        case _:
            return attack.main(options.rounds, options.seed, Progress())


if __name__ == "__main__":
    sys.exit(main())
