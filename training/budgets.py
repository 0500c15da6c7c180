"""Best-of-N over the number of labelled solutions: our version of the paper's Figure 4.

`python -m training.budgets --work training/out/pocket` has the shipped sampler write 35,200 solutions, trains a PRM and an
ORM on the same 50, 200, 1,000, 5,000 and 35,000 of them, three seeds each, and writes training/results/budgets.json: about
an hour on two CPU cores. Runs that are in the file are not repeated. The pair that ships learned from 80,000.

A few labels are soon learned by heart, so small budgets are trained for several numbers of steps. Each judge is the one of
least loss, once calibrated, on samples of the problems that choose models (heldout.py). Uncalibrated, an overconfident judge
would lose to one that has learned nothing. These labels are not counted in the budget, and are the same for all.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from .export import load_sampler, load_trunk, load_verifier
from .feature_cache import FeatureCache
from .files import RunFiles, read_jsonl, write_json, write_jsonl
from .heldout import IN_RANGE, choosing, measuring
from .label import Labelled, label_rows
from .measure import by_problem, majority_right, measure_judgements, measure_sampler, picked_right
from .model import Trunk, Verifier
from .sample import Source, sample_for_training, training_problems
from .tokenizer import load_tokenizer
from .train_verifier import calibrate_both, judged, logits_of, train_verifiers

RESULT = Path(__file__).with_name("results") / "budgets.json"
# Problems at each temperature, 8 solutions each.
SAMPLED = ((1.0, 3400), (1.3, 500), (0.7, 500))
LANES = 8
# Labelled solutions, and the numbers of steps of about BATCH_TOKENS tokens that are tried.
STEPS = {50: (10, 30, 90), 200: (20, 60, 180), 1000: (60, 180, 400), 5000: (450,), 35_000: (1200,)}
BATCH_TOKENS = 3072

Logits = list[list[list[float]]]


def make_samples(work: RunFiles) -> None:
    if work.samples("budgets").exists():
        return
    tokenizer = load_tokenizer(work.tokenizer)
    problems = training_problems(sum(count for _, count in SAMPLED))
    rows: list[dict[str, Any]] = []
    for number, (temperature, count) in enumerate(SAMPLED):
        source = Source(work.generator, work.sampler, temperature)
        rows += sample_for_training(tokenizer, source, list(islice(problems, count)), LANES, number)
    write_jsonl(work.samples("budgets"), rows)


def calibrated_losses(prm: Verifier, orm: Verifier, rows: list[Labelled], outputs: Logits) -> tuple[float, float]:
    """Calibrates both on labelled solutions, and returns their mean cross-entropies (nats) there: of the steps, and of the
    outcomes at the last step. `outputs` are `logits_of` both before."""
    calibrate_both(prm, orm, rows, outputs)
    prm_loss, orm_loss = (
        float(F.binary_cross_entropy_with_logits(logits * verifier.scale + verifier.shift, targets))
        for verifier, (logits, targets) in zip((prm, orm), judged(rows, outputs))
    )
    return prm_loss, orm_loss


def train_pair(
    trunk: Trunk, rows: list[Labelled], seed: int, steps: Sequence[int], chooser: list[Labelled], cache: FeatureCache
) -> tuple[Verifier, Verifier, tuple[int, int]]:
    """The best calibrated PRM and ORM of those trained for each of `steps`, and how many steps those were."""
    tried: list[tuple[int, Verifier, Verifier, tuple[float, float]]] = []
    for count in steps:
        prm, orm, _ = train_verifiers(
            trunk, rows, 3600, batch_tokens=BATCH_TOKENS, seed=seed, max_steps=count, compiled=False, features_of=cache
        )
        outputs = logits_of(trunk, [prm.eval(), orm.eval()], chooser, features_of=cache)
        tried.append((count, prm, orm, calibrated_losses(prm, orm, chooser, outputs)))
    best_prm, best_orm = (min(tried, key=lambda each: each[3][kind]) for kind in (0, 1))
    return best_prm[1], best_orm[2], (best_prm[0], best_orm[0])


def paired_interval(differences: np.ndarray, draws: int = 2000) -> dict[str, float]:
    """Mean of `differences` [seeds, problems] with the 95% percentile interval of a bootstrap over problems."""
    each = differences.mean(0)
    rng = np.random.default_rng(0)
    means = each[rng.integers(0, len(each), (draws, len(each)))].mean(1)
    low, high = np.percentile(means, (2.5, 97.5))
    return {"mean": round(float(each.mean()), 4), "low": round(float(low), 4), "high": round(float(high), 4)}


def summarise(runs: list[dict[str, Any]], majority: list[float]) -> list[dict[str, Any]]:
    """For each budget the picks over all seeds, and what the PRM is ahead of the ORM and of the vote."""
    rows = []
    for budget in sorted({run["solutions"] for run in runs}):
        picks = {kind: np.array([run["right"][kind] for run in runs if run["solutions"] == budget]) for kind in ("prm", "orm")}
        ahead = {"orm": picks["prm"] - picks["orm"], "majority": picks["prm"] - np.array(majority)}
        rows.append(
            {
                "solutions": budget,
                "seeds": len(picks["prm"]),
                **{kind: paired_interval(right) for kind, right in picks.items()},
                "prmAheadOf": {other: paired_interval(each) for other, each in ahead.items()},
            }
        )
    return rows


def table(summary: list[dict[str, Any]], sampler: dict[str, float]) -> str:
    """Markdown rows in percent."""
    shown = lambda each: f"{100 * each['mean']:.1f} [{100 * each['low']:.1f}, {100 * each['high']:.1f}]"  # noqa: E731
    lines = ["| labelled solutions | PRM | ORM | PRM ahead of ORM | PRM ahead of majority |", "|---:|---:|---:|---|---|"]
    for row in summary:
        ahead = " | ".join(shown(row["prmAheadOf"][other]) for other in ("orm", "majority"))
        lines.append(f"| {row['solutions']:,} | {100 * row['prm']['mean']:.1f} | {100 * row['orm']['mean']:.1f} | {ahead} |")
    return "\n".join([*lines, json.dumps(sampler)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--lanes", type=int, default=16)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    work = RunFiles(options.work)
    make_samples(work)
    tokenizer, trunk = load_tokenizer(work.tokenizer), load_trunk(work.generator)
    readout = load_sampler(work.sampler, trunk.config).readout(trunk)
    held_out = read_jsonl(IN_RANGE)
    _, chooser = measure_sampler(readout, tokenizer, choosing(held_out), LANES, seed=99)
    sampler, labelled = measure_sampler(readout, tokenizer, measuring(held_out), options.lanes)
    majority = [majority_right(samples) for samples in by_problem(labelled).values()]
    rows = label_rows(tokenizer, read_jsonl(work.samples("budgets")))
    print(f"{len(rows)} labelled solutions, {np.mean([row.outcome for row in rows]):.3f} right", flush=True)
    cache = FeatureCache(trunk)
    runs: list[dict[str, Any]] = json.loads(RESULT.read_text()).get("runs", []) if RESULT.exists() else []

    def note(budget: int, seed: int, pair: tuple[Verifier, Verifier], steps: tuple[int, int] | None) -> None:
        outputs = logits_of(trunk, list(pair), labelled, features_of=cache)
        figures = {name: round(value, 4) for name, value in measure_judgements(labelled, outputs, options.lanes).items()}
        right = {kind: [int(each) for each in picks] for kind, picks in picked_right(labelled, outputs).items()}
        runs.append({"solutions": budget, "seed": seed, "steps": steps, **figures, "right": right})
        print({name: value for name, value in runs[-1].items() if name != "right"}, flush=True)
        write_json(
            RESULT,
            {
                "command": "python -m training.budgets",
                "measuredOn": f"{len(measuring(held_out))} held-out problems, {options.lanes} samples each, in PyTorch",
                "sampler": {name: round(value, 4) for name, value in sampler.items()},
                "summary": summarise(runs, majority),
                "runs": runs,
            },
        )

    for budget, steps in STEPS.items():
        for seed in range(options.seeds):
            order = list(range(len(rows)))
            random.Random(seed).shuffle(order)
            if any((run["solutions"], run["seed"]) == (budget, seed) for run in runs):
                continue
            chosen = [rows[index] for index in order[:budget]]
            prm, orm, taken = train_pair(trunk, chosen, seed, steps, chooser, cache)
            note(budget, seed, (prm, orm), taken)
    if not any(run["solutions"] == 80_000 for run in runs):
        shipped = tuple(load_verifier(work.verifier(kind), trunk.config) for kind in ("prm", "orm"))
        note(80_000, 0, shipped, None)
    print(table(summarise(runs, majority), sampler))


if __name__ == "__main__":
    main()
