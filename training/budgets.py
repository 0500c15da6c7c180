"""Best-of-N over the number of labelled solutions: our version of the paper's Figure 4.

`python -m training.budgets --work training/out/pocket` trains a PRM and an ORM on the same 50, 200, 1,000 and 5,000
solutions, several seeds each, and writes training/results/budgets.json. The pair that ships is trained on all.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import numpy as np
import torch

from .export import load_sampler, load_trunk, load_verifier
from .files import RunFiles, read_jsonl, write_json
from .heldout import IN_RANGE, measuring
from .label import label_rows
from .measure import majority_right, by_problem, measure_sampler, measure_verifiers
from .tokenizer import load_tokenizer
from .train_verifier import train_verifiers

RESULT = Path(__file__).with_name("results") / "budgets.json"
# Labelled solutions, and steps of about BATCH_TOKENS tokens: fewer solutions are seen more often.
STEPS = {50: 60, 200: 120, 1000: 240, 5000: 420}
BATCH_TOKENS = 3072


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--problems", type=int, default=100)
    parser.add_argument("--lanes", type=int, default=16)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    work = RunFiles(options.work)
    tokenizer, trunk = load_tokenizer(work.tokenizer), load_trunk(work.generator)
    rows = label_rows(tokenizer, read_jsonl(work.samples("train")))
    problems = measuring(read_jsonl(IN_RANGE))[: options.problems]
    sampler, labelled = measure_sampler(load_sampler(work.sampler, trunk.config).readout(trunk), tokenizer, problems, options.lanes)
    groups = by_problem(labelled)
    majority = float(np.mean([majority_right(groups.get(row["seed"], [])) for row in problems]))
    runs = []

    def note(budget: int, seed: int, prm: torch.nn.Module, orm: torch.nn.Module) -> None:
        figures = measure_verifiers(trunk, prm, orm, labelled, options.lanes)
        runs.append({"solutions": budget, "seed": seed, **{name: round(value, 4) for name, value in figures.items()}})
        print(runs[-1], flush=True)
        write_json(
            RESULT,
            {
                "command": "python -m training.budgets",
                "measuredOn": f"{len(problems)} held-out problems, {options.lanes} samples each, unquantised, in PyTorch",
                "sampler": {name: round(value, 4) for name, value in sampler.items()},
                "majority": round(majority, 4),
                "runs": runs,
            },
        )

    shipped = [load_verifier(work.verifier(kind), trunk.config) for kind in ("prm", "orm")]
    note(len(rows), 0, *shipped)
    for seed in range(options.seeds):
        order = list(range(len(rows)))
        random.Random(seed).shuffle(order)
        for budget, steps in STEPS.items():
            chosen = [rows[index] for index in order[:budget]]
            prm, orm, _ = train_verifiers(
                trunk, chosen, 3600, batch_tokens=BATCH_TOKENS, seed=seed, max_steps=steps, compiled=False
            )
            note(budget, seed, prm.eval(), orm.eval())


if __name__ == "__main__":
    main()
