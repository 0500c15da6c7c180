"""Quality against training tokens: greedy accuracy of each snapshot on problems that were kept from the generator.

    python -m training.standard.curve      writes training/results/standard-curve.json and prints it

In PyTorch, unquantised, on the SVAMP and GSM8K training problems that only the verifiers saw (GSM8K up to four steps).
The shipped file is measured by `npm run evaluate`; this says what more training would bring.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer

from ..export import load_trunk
from ..files import REPOSITORY, write_json
from ..model import exit_of
from ..sample import sample_lines
from ..tokenizer import load_tokenizer
from .arithmetic import holds, value_of
from .label import answer_of
from .make import split_people
from .reworked import HumanProblem, read_people

COUNT = 60
LONGEST = 5


def measure(path: Path, tokenizer: Tokenizer, sets: dict[str, list[HumanProblem]]) -> dict[str, Any]:
    """Shares in [0, 1] of right answers, and of solutions whose every equation holds."""
    trunk = load_trunk(path)
    readout = exit_of(trunk, trunk.config.layers)
    state = torch.load(path, map_location="cpu", weights_only=True).get("state", {"tokens": 0})
    row: dict[str, Any] = {"tokens": state["tokens"]}
    for name, problems in sets.items():
        written = sample_lines(readout, tokenizer, [problem.text for problem in problems], 1, 0.0, 0)
        right = [answer_of(lines) == value_of(problem.answer) for (lines,), problem in zip(written, problems)]
        true = [bool(lines) and all(map(holds, lines)) for (lines,) in written]
        row[name] = {"right": round(sum(right) / len(right), 4), "equationsHold": round(sum(true) / len(true), 4)}
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=REPOSITORY / "training/out/standard")
    parser.add_argument("--out", type=Path, default=REPOSITORY / "training/results/standard-curve.json")
    options = parser.parse_args()
    torch.set_num_threads(2)
    _, kept_back = split_people(read_people())
    sets = {
        "svamp": [problem for problem in kept_back if not problem.raw][:COUNT],
        "gsm8k": [problem for problem in kept_back if problem.raw and len(problem.lines) <= LONGEST][:COUNT],
    }
    tokenizer = load_tokenizer(options.work / "tokenizer")
    rows = []
    for path in [*sorted(options.work.glob("trunk-*k.pt")), options.work / "trunk.pt"]:
        rows.append(measure(path, tokenizer, sets))
        print(json.dumps(rows[-1]), flush=True)
    write_json(options.out, {"problems": {name: len(problems) for name, problems in sets.items()}, "snapshots": rows})


if __name__ == "__main__":
    main()
