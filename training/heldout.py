"""The problems that measure a model: fixed by seed, never trained on, the same for every run.

`python -m training.heldout` writes training/heldout/in-range.jsonl (families of the training
grammar, new problems) and training/heldout/out-of-range.jsonl (families that training never sees).
Each row is {"seed", "family", "problem", "answer"}; `problem_of` draws the problem again, with the
plans that the exact checker needs.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from .files import read_jsonl, write_jsonl
from .grammar.generate import make_problem
from .grammar.problem import Problem

FOLDER = Path(__file__).with_name("heldout")
IN_RANGE = FOLDER / "in-range.jsonl"
OUT_OF_RANGE = FOLDER / "out-of-range.jsonl"
# Every 3rd in-range problem chooses and calibrates models; the others only measure them.
FIRST_SEED = {IN_RANGE: 7_000_000, OUT_OF_RANGE: 8_000_000}
COUNT = {IN_RANGE: 300, OUT_OF_RANGE: 200}


def problem_of(row: dict[str, Any]) -> Problem:
    """The problem of a row, with its plans. Raises ValueError when the grammar has changed since."""
    problem = make_problem(random.Random(row["seed"]), held_out=row["seed"] >= FIRST_SEED[OUT_OF_RANGE])
    if problem.text != row["problem"]:
        raise ValueError(f"seed {row['seed']} draws another problem now: run python -m training.heldout again")
    return problem


def choosing(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows on which models are chosen and calibrated."""
    return rows[::3]


def measuring(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows on which the finished models are measured: none of `choosing`."""
    return [row for index, row in enumerate(rows) if index % 3 != 0]


def draw(path: Path) -> list[dict[str, Any]]:
    """Distinct problems from consecutive seeds."""
    rows: dict[str, dict[str, Any]] = {}
    seed = FIRST_SEED[path]
    while len(rows) < COUNT[path]:
        problem = make_problem(random.Random(seed), held_out=path == OUT_OF_RANGE)
        row = {"seed": seed, "family": problem.family, "problem": problem.text, "answer": problem.answer}
        rows.setdefault(problem.text, row)
        seed += 1
    return list(rows.values())


def held_out_texts() -> frozenset[str]:
    """Problem texts that training must never see."""
    return frozenset(row["problem"] for path in COUNT if path.exists() for row in read_jsonl(path))


def main() -> None:
    for path in COUNT:
        write_jsonl(path, draw(path))


if __name__ == "__main__":
    main()
