"""Writes what the evaluation measured into the manifest.

    npm run evaluate -- --problems training/heldout/in-range.jsonl --n 64 --pool --out pool.json
    python -m training.judge pool.json --out training/results/steps-in-range.json
    npm run evaluate -- --problems ../shared/data/problems/svamp-dev.jsonl --models standard --n 16 --keep   (and so on)
    python -m training.quality

It also prints the README's table of the standard models. So every figure of quality in the manifest is of the shipped files. tests/unit/tools/quality.test.ts holds them together.
"""

from __future__ import annotations

import json
from typing import Any

from .files import REPOSITORY, write_json

RESULTS = REPOSITORY / "training" / "results"
SETS = ("multiarith", "addsub", "singleeq", "svamp", "gsm8k")
STANDARD_PICKS = ("prm", "orm", "majority", "weighted", "pass")
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


def standard_quality(evaluations: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The standard models' entry: for each set of problems that people wrote, the figures at the largest N."""
    sets = {}
    for name, evaluation in evaluations.items():
        summary, n = evaluation["summary"], str(evaluation["n"])
        picks = {pick: summary["picks"][pick][n]["mean"] for pick in STANDARD_PICKS}
        figures = {"greedy": summary["greedy"], "meanSample": summary["meanSample"], **picks}
        figures = {key: round(value, 4) for key, value in figures.items()}
        sets[name] = {"problems": summary["problems"], "n": evaluation["n"], **figures}
    first = next(iter(evaluations.values()))
    return {"measuredBy": first["command"].split(" --problems")[0], "dtype": first["dtype"], "sets": sets}


def standard_table(evaluations: dict[str, dict[str, Any]]) -> str:
    """Markdown rows in percent; the last column is what the PRM is ahead of majority vote, with its interval."""
    rows = []
    for name, evaluation in evaluations.items():
        summary, n = evaluation["summary"], str(evaluation["n"])
        shares = [summary["greedy"], summary["meanSample"], *(summary["picks"][pick][n]["mean"] for pick in STANDARD_PICKS)]
        ahead = summary["aheadOfMajority"]["prm"][n]
        shown = " | ".join(f"{100 * share:.1f}" for share in shares)
        lead = f"{100 * ahead['mean']:+.1f} [{100 * ahead['low']:.1f}, {100 * ahead['high']:.1f}]"
        rows.append(f"| {name} ({summary['problems']}) | {shown} | {lead} |")
    return "\n".join(rows)


def main() -> None:
    manifest = json.loads(MANIFEST.read_text())
    models = {model["id"]: model for model in manifest["models"]}
    read = lambda name: json.loads((RESULTS / name).read_text())  # noqa: E731
    models["pocket"]["quality"] = quality(read("in-range-64.json"), read("steps-in-range.json"))
    evaluations = {name: read(f"standard-{name}-dev.json") for name in SETS if (RESULTS / f"standard-{name}-dev.json").exists()}
    if evaluations:
        models["standard"]["quality"] = standard_quality(evaluations)
        print(standard_table(evaluations))
    write_json(MANIFEST, manifest)


if __name__ == "__main__":
    main()
