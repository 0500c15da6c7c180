"""What a sampler and its verifiers are worth on held-out problems, in PyTorch.

Used to choose the sampler and to watch training. The published figures come from `npm run evaluate`, which runs
the shipped quantised files through the product's own engine.

`python -m training.measure --work training/out/pocket --samplers sampler.pt --exits 3 6` measures samplers alone.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer

from .export import load_sampler, load_trunk
from .files import RunFiles, read_jsonl
from .grammar.checker import read_number
from .heldout import IN_RANGE, OUT_OF_RANGE, choosing
from .label import Labelled, label_rows
from .model import Readout, Trunk, Verifier, exit_of
from .sample import sample_lines
from .tokenizer import load_tokenizer
from .train_verifier import logits_of


def measure_sampler(
    readout: Readout, tokenizer: Tokenizer, rows: list[dict[str, Any]], lanes: int = 16, temperature: float = 1.0, seed: int = 5
) -> tuple[dict[str, float], list[Labelled]]:
    """Mean accuracy of one sample, pass@lanes and majority, with the labelled samples."""
    problems = [row["problem"] for row in rows]
    written = sample_lines(readout, tokenizer, problems, lanes, temperature, seed)
    flat = [{"seed": row["seed"], "lines": lines} for row, solutions in zip(rows, written) for lines in solutions]
    labelled = label_rows(tokenizer, flat, held_out=rows[0]["seed"] >= 8_000_000)
    groups = by_problem(labelled)
    right = {row["seed"]: sum(sample.outcome for sample in groups.get(row["seed"], [])) for row in rows}
    false_positives = [0 in sample.steps for sample in labelled if sample.outcome]
    return {
        "meanSample": sum(right.values()) / (lanes * len(rows)),
        f"pass@{lanes}": float(np.mean([count > 0 for count in right.values()])),
        f"majority@{lanes}": float(np.mean([majority_right(groups.get(row["seed"], [])) for row in rows])),
        # What a PRM that never errs would reach: some solution has no mistake.
        f"clean@{lanes}": float(np.mean([any(s.outcome and 0 not in s.steps for s in groups.get(row["seed"], [])) for row in rows])),
        "rightWithWrongStep": float(np.mean(false_positives)) if false_positives else 0.0,
    }, labelled


def by_problem(labelled: list[Labelled]) -> dict[int, list[Labelled]]:
    groups: dict[int, list[Labelled]] = {}
    for sample in labelled:
        groups.setdefault(sample.seed, []).append(sample)
    return groups


def value_of(sample: Labelled) -> Any:
    return None if sample.answer is None else read_number(sample.answer)


def majority_right(samples: list[Labelled]) -> float:
    """Whether the most frequent answer is right; a tie counts as the share of right ones among the tied."""
    answers = [(value_of(sample), sample.outcome) for sample in samples if value_of(sample) is not None]
    if not answers:
        return 0.0
    votes = Counter(value for value, _ in answers)
    best = max(votes.values())
    truth = {value for value, outcome in answers if outcome}
    tied = [value for value, count in votes.items() if count == best]
    return sum(value in truth for value in tied) / len(tied)


def measure_verifiers(
    trunk: Trunk, prm: Verifier, orm: Verifier, labelled: list[Labelled], lanes: int
) -> dict[str, float]:
    """Best-of-N by product of step rewards and by outcome reward, and how well single steps are judged."""
    return measure_judgements(labelled, logits_of(trunk, [prm, orm], labelled), lanes)


def picked_right(labelled: list[Labelled], outputs: list[list[list[float]]]) -> dict[str, list[float]]:
    """For each problem of `by_problem` whether the solution that the PRM (product of step rewards) and the ORM pick is
    right; `outputs` are `logits_of` both."""
    positions = {id(sample): index for index, sample in enumerate(labelled)}
    picked: dict[str, list[float]] = {"prm": [], "orm": []}
    for samples in by_problem(labelled).values():
        complete = [sample for sample in samples if value_of(sample) is not None]
        for kind in picked:
            if not complete:
                picked[kind].append(0.0)
                continue
            scores = [_score(kind, outputs[positions[id(sample)]]) for sample in complete]
            picked[kind].append(complete[int(np.argmax(scores))].outcome)
    return picked


def measure_judgements(
    labelled: list[Labelled], outputs: list[list[list[float]]], lanes: int
) -> dict[str, float]:
    """The figures of `measure_verifiers` from the logits of both."""
    picked = picked_right(labelled, outputs)
    positions = {id(sample): index for index, sample in enumerate(labelled)}
    wins = pairs = exact = with_mistake = flagged = clean = 0.0
    for samples in by_problem(labelled).values():
        good, bad = [], []
        for sample in samples:
            logits = outputs[positions[id(sample)]][0]
            for logit, target in zip(logits, sample.steps):
                (good if target else bad).append(logit)
            first = next((place for place, logit in enumerate(logits) if logit < 0), None)
            if 0 in sample.steps:
                with_mistake += 1
                exact += first == sample.steps.index(0)
            elif sample.outcome:
                clean += 1
                flagged += first is not None
        wins += sum((a > b) + 0.5 * (a == b) for a in good for b in bad)
        pairs += len(good) * len(bad)
    return {
        f"prm@{lanes}": float(np.mean(picked["prm"])),
        f"orm@{lanes}": float(np.mean(picked["orm"])),
        "stepAucWithinProblem": wins / pairs if pairs else math.nan,
        "firstMistakeExact": exact / with_mistake if with_mistake else math.nan,
        "cleanUnflagged": 1 - flagged / clean if clean else math.nan,
    }


def _score(kind: str, logits: list[list[float]]) -> float:
    if kind == "orm":
        return logits[1][-1]
    # The logarithm of the product of sigmoids.
    return -sum(math.log1p(math.exp(-min(max(logit, -60), 60))) for logit in logits[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--trunk", default="generator.pt")
    parser.add_argument("--exits", type=int, nargs="*", default=[])
    parser.add_argument("--samplers", nargs="*", default=["sampler.pt"])
    parser.add_argument("--temperatures", type=float, nargs="+", default=[1.0])
    parser.add_argument("--lanes", type=int, default=16)
    options = parser.parse_args()
    torch.set_num_threads(2)
    work = RunFiles(options.work)
    tokenizer, trunk = load_tokenizer(work.tokenizer), load_trunk(work.root / options.trunk)
    for name, path in (("in", IN_RANGE), ("out", OUT_OF_RANGE)):
        rows = choosing(read_jsonl(path))
        readouts = {path: load_sampler(work.root / path, trunk.config).readout(trunk) for path in options.samplers}
        readouts |= {f"exit {depth}": exit_of(trunk, depth) for depth in options.exits}
        for which, readout in readouts.items():
            for temperature in options.temperatures:
                figures, _ = measure_sampler(readout, tokenizer, rows, options.lanes, temperature)
                print(name, which, temperature, json.dumps({key: round(value, 3) for key, value in figures.items()}), flush=True)


if __name__ == "__main__":
    main()
