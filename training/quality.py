"""Writes what the evaluation measured into the manifest.

    npm run evaluate -- --problems training/heldout/in-range.jsonl --n 64 --pool --out pool.json
    python -m training.judge pool.json --out training/results/steps-in-range.json
    python -m training.quality

So every figure of quality in the manifest is of the shipped files. tests/unit/tools/quality.test.ts holds them together.
"""

from __future__ import annotations

import json
from typing import Any

from .files import REPOSITORY, write_json

RESULTS = REPOSITORY / "training" / "results"
MANIFEST = REPOSITORY / "static-models" / "manifest.json"


def quality(evaluation: dict[str, Any], steps: dict[str, Any]) -> dict[str, Any]:
    """The manifest's entry: shares in [0, 1], with the command that printed them."""
    summary, n = evaluation["summary"], evaluation["n"]
    picks = summary["picks"]
    figures = {
        "meanSample": summary["meanSample"],
        "greedy": summary["greedy"],
        **{f"{name}@{at}": picks[name][str(at)]["mean"] for at in (16, n) for name in ("prm", "orm", "majority", "pass")},
        **{name: steps[name] for name in ("firstMistakeExact", "cleanUnflagged", "expectedCalibrationError")},
    }
    return {
        "measuredBy": evaluation["command"],
        "dtype": evaluation["dtype"],
        "problems": summary["problems"],
        **{name: round(value, 4) for name, value in figures.items()},
    }


def main() -> None:
    manifest = json.loads(MANIFEST.read_text())
    read = lambda name: json.loads((RESULTS / name).read_text())  # noqa: E731
    pocket = next(model for model in manifest["models"] if model["id"] == "pocket")
    pocket["quality"] = quality(read("in-range-64.json"), read("steps-in-range.json"))
    write_json(MANIFEST, manifest)


if __name__ == "__main__":
    main()
