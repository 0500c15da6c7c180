"""How well the step rewards of an evaluation find mistakes, by the exact checker.

    npm run evaluate -- --problems training/heldout/in-range.jsonl --out pool.json
    python -m training.judge pool.json

Reads the pool that `npm run evaluate` wrote from the shipped files, so that these too are figures of what is shipped.
A step is called wrong when its reward is under 0.5; the first such step is the suspected mistake.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from .files import read_jsonl
from .grammar.checker import check_solution
from .heldout import IN_RANGE, OUT_OF_RANGE, problem_of

THRESHOLD = 0.5
BINS = 10


def judge(pool: list[dict[str, Any]]) -> dict[str, Any]:
    """Shares in [0, 1] over the pool's solutions. Raises KeyError on a problem that is not a held-out one."""
    problems = {row["problem"]: row for path in (IN_RANGE, OUT_OF_RANGE) for row in read_jsonl(path)}
    found: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    kinds_found: Counter[str] = Counter()
    bins: list[list[float]] = [[0.0, 0.0, 0.0] for _ in range(BINS)]
    for entry in pool:
        problem = problem_of(problems[entry["problem"]])
        for sample in entry["samples"]:
            rewards = [reward for reward in sample["stepRewards"] if reward is not None]
            lines = sample["lines"][: len(rewards)]
            if not lines:
                continue
            verdict = check_solution(problem, lines)
            first = verdict.first_mistake
            suspected = next((place for place, reward in enumerate(rewards) if reward < THRESHOLD), None)
            labelled = rewards if first is None else rewards[: first + 1]
            for place, reward in enumerate(labelled):
                cell = bins[min(int(reward * BINS), BINS - 1)]
                cell[0] += 1
                cell[1] += reward
                cell[2] += place != first
            if first is None:
                found["clean"] += 1
                found["cleanUnflagged"] += suspected is None
                continue
            kind = verdict.steps[first].mistake
            assert kind is not None
            kinds[kind.value] += 1
            kinds_found[kind.value] += rewards[first] < THRESHOLD
            found["mistaken"] += 1
            found["exact"] += suspected == first
            found["rightAnswer"] += verdict.answer_correct
        found["right"] += sum(bool(sample["correct"]) for sample in entry["samples"])
    steps = sum(cell[0] for cell in bins)
    return {
        "solutions": found["clean"] + found["mistaken"],
        "steps": int(steps),
        "firstMistakeExact": found["exact"] / max(1, found["mistaken"]),
        "cleanUnflagged": found["cleanUnflagged"] / max(1, found["clean"]),
        "recallByKind": {kind: {"recall": kinds_found[kind] / count, "mistakes": count} for kind, count in kinds.most_common()},
        "rightAnswerWithWrongStep": found["rightAnswer"] / max(1, found["right"]),
        "expectedCalibrationError": sum(abs(cell[1] - cell[2]) for cell in bins) / max(1, steps),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pool", type=Path)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    figures = judge(json.loads(options.pool.read_text())["pool"])
    text = json.dumps(figures, indent=2)
    print(text)
    if options.out:
        options.out.write_text(text + "\n")


if __name__ == "__main__":
    main()
