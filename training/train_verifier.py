"""Train the PRM and the ORM on the frozen trunk, on the same labelled solutions.

Both read the trunk's hidden states and how surprised its final readout was by each token (model.py). They share
nothing that is trained, so one pass trains both without either seeing the other's labels.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from .corpus import length_groups
from .label import Labelled
from .model import Trunk, Verifier, VerifierConfig, verifier_features
from .precision import quick_products
from .tokenizer import PAD
from .train_generator import rate_at

IGNORED = -1.0

# What the verifiers read of a batch, [B, S, 3 D + 6], from its rows and their ids [B, S].
FeaturesOf = Callable[[list[Labelled], Tensor], Tensor]


def batches(rows: list[Labelled], batch_tokens: int, rng: np.random.Generator) -> Iterator[list[Labelled]]:
    """One pass over the rows in shuffled batches of similar length, each about `batch_tokens` tokens."""
    lengths = np.array([len(row.tokens) for row in rows])
    for group in length_groups(lengths, batch_tokens, rng):
        yield [rows[row] for row in group]


def tensors(rows: list[Labelled]) -> tuple[Tensor, Tensor, Tensor]:
    """ids [B, S] right-padded, step targets [B, S] and outcome targets [B, S], IGNORED where there is none."""
    width = -(-max(len(row.tokens) for row in rows) // 8) * 8
    ids = torch.full((len(rows), width), PAD)
    steps = torch.full((len(rows), width), IGNORED)
    outcomes = torch.full((len(rows), width), IGNORED)
    for place, row in enumerate(rows):
        ids[place, : len(row.tokens)] = torch.tensor(row.tokens)
        steps[place, row.ends[: len(row.steps)]] = torch.tensor(row.steps, dtype=torch.float32)
        outcomes[place, row.prompt : len(row.tokens)] = float(row.outcome)
    return ids, steps, outcomes


def masked_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Mean binary cross-entropy (nats) where there is a target."""
    known = targets >= 0
    return F.binary_cross_entropy_with_logits(logits[known], targets[known])


def train_verifiers(
    trunk: Trunk,
    rows: list[Labelled],
    seconds: float,
    *,
    config: VerifierConfig = VerifierConfig(),
    batch_tokens: int = 8192,
    peak: float = 1e-3,
    seed: int = 0,
    compiled: bool = True,
    max_steps: int | None = None,
    log: Path | None = None,
    checkpoint: Path | None = None,
    checkpoint_seconds: float = 150.0,
    features_of: FeaturesOf | None = None,
) -> tuple[Verifier, Verifier, int]:
    """Returns the PRM, the ORM and the number of tokens seen. The trunk is not changed.

    Without `features_of` the trunk is run each time.

    With a `checkpoint` the state is saved there every few minutes, and training goes on from it if it is there.
    """
    torch.manual_seed(seed)
    prm, orm = Verifier(config, trunk.config), Verifier(config, trunk.config)
    parameters = [*prm.parameters(), *orm.parameters()]
    optimizer = torch.optim.AdamW(
        [
            {"params": [p for p in parameters if p.ndim > 1], "weight_decay": 0.05},
            {"params": [p for p in parameters if p.ndim < 2], "weight_decay": 0.0},
        ],
        lr=peak,
        betas=(0.9, 0.97),
    )
    if compiled:
        for block in (*trunk.layers, *prm.blocks, *orm.blocks):
            block.compile(dynamic=True)
    seen = count = 0
    before = 0.0
    if checkpoint is not None and checkpoint.exists():
        saved = torch.load(checkpoint, map_location="cpu", weights_only=True)
        prm.load_state_dict(saved["prm"])
        orm.load_state_dict(saved["orm"])
        optimizer.load_state_dict(saved["optimizer"])
        before, seen, count = saved["seconds"], saved["tokens"], saved["steps"]
    rng = np.random.default_rng((seed, count))
    started = last = saved_at = time.monotonic()
    running: list[tuple[float, float]] = []
    while True:
        for batch in batches(rows, batch_tokens, rng):
            now = time.monotonic()
            progress = (before + now - started) / seconds
            if checkpoint is not None and now - saved_at > checkpoint_seconds:
                saved_at = now
                state = {"prm": prm.state_dict(), "orm": orm.state_dict(), "optimizer": optimizer.state_dict()}
                state |= {"seconds": before + now - started, "tokens": seen, "steps": count}
                torch.save(state, checkpoint.with_suffix(".tmp"))
                os.replace(checkpoint.with_suffix(".tmp"), checkpoint)
            if max_steps is not None:
                progress = max(progress, count / max_steps)
            if progress >= 1:
                return prm, orm, seen
            for group in optimizer.param_groups:
                group["lr"] = rate_at(progress, peak, warm_up=0.03, decay=0.6)
            ids, steps, outcomes = tensors(batch)
            with quick_products():
                with torch.no_grad():
                    features = verifier_features(trunk, ids) if features_of is None else features_of(batch, ids)
                step_loss = masked_loss(prm(features), steps)
                outcome_loss = masked_loss(orm(features), outcomes)
            (step_loss + outcome_loss).backward()
            for each in (prm, orm):
                torch.nn.utils.clip_grad_norm_(each.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            count += 1
            seen += sum(len(row.tokens) for row in batch)
            running.append((step_loss.item(), outcome_loss.item()))
            if log is not None and time.monotonic() - last > 20:
                last = time.monotonic()
                means = np.mean(running, axis=0)
                line = {"seconds": round(before + last - started), "tokens": seen, "step": count}
                line |= {"prmLoss": round(float(means[0]), 4), "ormLoss": round(float(means[1]), 4)}
                print(line, flush=True)
                with log.open("a") as file:
                    file.write(json.dumps(line) + "\n")
                running = []


@torch.no_grad()
def logits_of(
    trunk: Trunk,
    verifiers: list[Verifier],
    rows: list[Labelled],
    batch_tokens: int = 16384,
    features_of: FeaturesOf | None = None,
) -> list[list[list[float]]]:
    """For each row and verifier the logits at the row's newlines. `features_of` as for `train_verifiers`."""
    result: list[list[list[float]]] = [[] for _ in rows]
    order = sorted(range(len(rows)), key=lambda index: len(rows[index].tokens))
    start = 0
    while start < len(order):
        longest, end = len(rows[order[start]].tokens), start
        while end < len(order) and max(longest, len(rows[order[end]].tokens)) * (end + 1 - start) <= batch_tokens:
            longest = max(longest, len(rows[order[end]].tokens))
            end += 1
        chosen = order[start : max(end, start + 1)]
        batch = [rows[index] for index in chosen]
        ids = tensors(batch)[0]
        with quick_products():
            features = verifier_features(trunk, ids) if features_of is None else features_of(batch, ids)
            outputs = [verifier(features) for verifier in verifiers]
        for place, index in enumerate(chosen):
            result[index] = [output[place, rows[index].ends].tolist() for output in outputs]
        start += len(chosen)
    return result


def calibrate(verifier: Verifier, logits: Tensor, targets: Tensor) -> None:
    """Sets the verifier's scale and shift to those of least cross-entropy (Platt scaling; logits must come from
    a verifier with scale 1 and shift 0)."""
    scale = torch.ones((), requires_grad=True)
    shift = torch.zeros((), requires_grad=True)
    optimizer = torch.optim.LBFGS([scale, shift], max_iter=100, line_search_fn="strong_wolfe")

    def closure() -> Tensor:
        optimizer.zero_grad()
        loss = F.binary_cross_entropy_with_logits(logits * scale + shift, targets)
        loss.backward()
        return loss

    optimizer.step(closure)
    with torch.no_grad():
        verifier.scale.copy_(scale.detach().clamp(0.1, 10))
        verifier.shift.copy_(shift.detach())


def judged(rows: list[Labelled], outputs: list[list[list[float]]]) -> tuple[Tensor, Tensor]:
    """Logits and targets, [2, n] each: of the labelled steps by the PRM, and of the outcomes by the ORM at the last step;
    `outputs` are `logits_of` both."""
    steps = [(logit, target) for output, row in zip(outputs, rows) for logit, target in zip(output[0], row.steps)]
    outcomes = [(output[1][-1], row.outcome) for output, row in zip(outputs, rows)]
    of_steps, of_outcomes = (
        torch.tensor(pairs, dtype=torch.float32).T if pairs else torch.zeros(2, 0) for pairs in (steps, outcomes)
    )
    return of_steps, of_outcomes


def calibrate_both(prm: Verifier, orm: Verifier, rows: list[Labelled], outputs: list[list[list[float]]]) -> None:
    """Calibrates a PRM on the steps of labelled solutions and an ORM on their outcomes; `outputs` are `logits_of` both."""
    for verifier, (logits, targets) in zip((prm, orm), judged(rows, outputs)):
        if 0 < targets.sum() < len(targets):
            calibrate(verifier, logits, targets)


def save_verifier(path: Path, verifier: Verifier) -> None:
    torch.save({"config": verifier.config.to_json(), "weights": verifier.state_dict()}, path)
