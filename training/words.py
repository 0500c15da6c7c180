"""The words that the grammar's problems are made of.

`python -m training.words` writes src/domain/pocket-words.json: the page tells by it whether a problem looks
like those that the pocket models learned. Words of few problems are left out, and made-up ones with them.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path

from .grammar.generate import make_problem

OUTPUT = Path(__file__).parents[1] / "src" / "domain" / "pocket-words.json"
PROBLEMS = 20_000
# A word counts as learned if that many of these problems have it.
LEAST = 10
# src/domain/pocket-range.ts splits texts in the same way.
WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")


def learned_words(problems: int = PROBLEMS, least: int = LEAST) -> list[str]:
    """In alphabetical order. The seeds are none of the held-out problems'."""
    counts: Counter[str] = Counter()
    for seed in range(problems):
        counts.update(set(WORD.findall(make_problem(random.Random(seed)).text.lower().replace("’", "'"))))
    return sorted(word for word, count in counts.items() if count >= least)


def main() -> None:
    words = learned_words()
    OUTPUT.write_text(json.dumps({"words": " ".join(words)}, indent=2) + "\n")
    print(f"{OUTPUT.name}: {len(words)} words")


if __name__ == "__main__":
    main()
