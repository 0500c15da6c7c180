"""Train the trunk: the final readout and, jointly, early exits at random depths.

`python -m training.train_generator --work training/out/pocket --minutes 50`

The learning rate follows the wall clock, not a number of steps: on a shared machine the speed is
not known beforehand, and the decay must be finished when the time is. Stop it at any moment and
run it again with --resume.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from .corpus import Sequences, length_groups
from .files import RunFiles
from .model import Trunk, TrunkConfig, rms_normalise
from .precision import quick_products
from .tokenizer import PAD

PROBLEM_WEIGHT = 0.15
EXIT_WEIGHT = 0.2


class ShardStream:
    """Endless batches [B, S] of right-padded rows, each about `batch_tokens` tokens.

    Shards are taken in order as they appear on disk; when none is new, old ones are reread in
    another order. Rows of similar length share a batch, and the batches are shuffled.
    """

    def __init__(self, folder: Path, batch_tokens: int, seed: int, done: int = 0) -> None:
        self.folder, self.batch_tokens, self.seed, self.done = folder, batch_tokens, seed, done

    def _next_shard(self) -> Sequences:
        paths = sorted(self.folder.glob("shard-???.npz"))
        if not paths:
            raise FileNotFoundError(f"no shards in {self.folder}")
        return Sequences.load(paths[self.done % len(paths)])

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        """Yields ids int64 [B, S] and, per row, the number of problem tokens [B]."""
        while True:
            shard = self._next_shard()
            rng = np.random.default_rng((self.seed, self.done))
            lengths = shard.lengths()
            for rows in length_groups(lengths, self.batch_tokens, rng):
                # Rounded up so that a compiled graph sees few different lengths.
                width = int(-(-lengths[rows].max() // 8) * 8)
                ids = np.full((len(rows), width), PAD, dtype=np.int64)
                for place, row in enumerate(rows):
                    begin, end = shard.starts[row], shard.starts[row + 1]
                    ids[place, : end - begin] = shard.tokens[begin:end]
                yield torch.from_numpy(ids), torch.from_numpy(shard.problem[rows].astype(np.int64))
            self.done += 1


def token_weights(ids: Tensor, problem: Tensor) -> Tensor:
    """Loss weight of predicting ids[:, 1:], [B, S - 1]: 0 for padding, little for the problem."""
    positions = torch.arange(1, ids.shape[1])
    weights = torch.where(positions < problem.unsqueeze(1), PROBLEM_WEIGHT, 1.0)
    return weights * (ids[:, 1:] != PAD)


def readout_loss(
    norm: Tensor, embedding: Tensor, hidden: Tensor, targets: Tensor, weights: Tensor
) -> Tensor:
    """Weighted mean cross-entropy (nats) of one readout. hidden [B, S, D], targets [B, S]."""
    logits = F.linear(rms_normalise(hidden) * norm.to(hidden.dtype), embedding)
    entropy = F.cross_entropy(logits.flatten(0, 1).float(), targets.flatten(), reduction="none")
    return (entropy * weights.flatten()).sum() / weights.sum()


class Losses:
    """The joint loss. Compiled piece by piece (one block, one readout), which takes seconds where
    compiling the whole model takes minutes, and is as quick."""

    def __init__(self, trunk: Trunk, compiled: bool) -> None:
        self.trunk = trunk
        self.readout = torch.compile(readout_loss, dynamic=True) if compiled else readout_loss
        if compiled:
            for layer in trunk.layers:
                layer.compile(dynamic=True)

    def __call__(self, ids: Tensor, weights: Tensor, depth: int) -> tuple[Tensor, Tensor]:
        """Losses of the final readout and of the exit at `depth` on ids [B, S]."""
        trunk, final = self.trunk, self.trunk.config.layers
        kept = trunk.hiddens(ids[:, :-1], (depth, final))
        embedding, targets = trunk.embedding.weight, ids[:, 1:]
        return (
            self.readout(trunk.norm.weight, embedding, kept[final], targets, weights),
            self.readout(trunk.exit_norms[str(depth)].weight, embedding, kept[depth], targets, weights),
        )


def make_optimizers(trunk: Trunk, kind: str) -> list[torch.optim.Optimizer]:
    """AdamW for everything, or Muon for the matrices inside the layers and AdamW for the rest."""
    matrices = [p for p in trunk.layers.parameters() if p.ndim == 2]
    inside = {id(p) for p in matrices}
    others = [p for p in trunk.parameters() if id(p) not in inside]
    plain = [p for p in others if p.ndim < 2]
    embedding = [p for p in others if p.ndim == 2]
    groups = [{"params": plain, "weight_decay": 0.0}, {"params": embedding, "weight_decay": 0.0}]
    if kind == "muon":
        return [
            torch.optim.Muon(matrices, lr=1.0, weight_decay=0.05, adjust_lr_fn="match_rms_adamw"),
            torch.optim.AdamW(groups, lr=1.0, betas=(0.9, 0.95), fused=True),
        ]
    groups.append({"params": matrices, "weight_decay": 0.05})
    return [torch.optim.AdamW(groups, lr=1.0, betas=(0.9, 0.95), fused=True)]


def rate_at(progress: float, peak: float, warm_up: float = 0.015, decay: float = 0.45) -> float:
    """Learning rate at a fraction of the time budget: warm-up, plateau, then linear decay to 2%."""
    if progress < warm_up:
        return peak * progress / warm_up
    if progress < 1 - decay:
        return peak
    return peak * max(0.02, (1 - progress) / decay)


def save_checkpoint(path: Path, trunk: Trunk, state: dict, optimizers: list[torch.optim.Optimizer] | None) -> None:
    """Atomic: a reader or a crash never meets half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    saved = {"config": trunk.config.to_json(), "weights": trunk.state_dict(), "state": state}
    if optimizers is not None:
        saved["optimizers"] = [optimizer.state_dict() for optimizer in optimizers]
    torch.save(saved, path.with_suffix(".tmp"))
    os.replace(path.with_suffix(".tmp"), path)


def train(
    work: RunFiles,
    seconds: float,
    *,
    config: TrunkConfig = TrunkConfig(),
    batch_tokens: int = 8192,
    peak: float = 3e-3,
    optimizer: str = "muon",
    seed: int = 0,
    resume: bool = False,
    compiled: bool = True,
    checkpoint_seconds: float = 150.0,
    snapshot_tokens: float = 2e6,
    max_steps: int | None = None,
) -> Trunk:
    """Train for `seconds` of wall-clock time in all (resumed time counts) and return the trunk."""
    torch.manual_seed(seed)
    trunk = Trunk(config)
    optimizers = make_optimizers(trunk, optimizer)
    state = {"seconds": 0.0, "tokens": 0, "steps": 0, "shards": 0}
    if resume and work.generator.exists():
        saved = torch.load(work.generator, map_location="cpu", weights_only=True)
        trunk.load_state_dict(saved["weights"])
        for each, values in zip(optimizers, saved["optimizers"]):
            each.load_state_dict(values)
        state = saved["state"]
    stream = ShardStream(work.root / "corpus", batch_tokens, seed, state["shards"])
    losses = Losses(trunk, compiled)
    rng = np.random.default_rng((seed, state["steps"]))
    log = (work.root / "train.jsonl").open("a")
    started, before = time.monotonic(), state["seconds"]
    last_log = last_save = started
    running: list[tuple[float, float]] = []
    next_snapshot = (math.floor(state["tokens"] / snapshot_tokens) + 1) * snapshot_tokens
    logged_tokens = state["tokens"]
    for ids, problem in stream:
        now = time.monotonic()
        state["seconds"] = before + now - started
        state["shards"] = stream.done
        if state["seconds"] >= seconds or (max_steps is not None and state["steps"] >= max_steps):
            break
        rate = rate_at(state["seconds"] / seconds, peak)
        for each in optimizers:
            for group in each.param_groups:
                group["lr"] = rate
        depth = int(rng.choice(config.exits))
        with quick_products():
            final_loss, exit_loss = losses(ids, token_weights(ids, problem), depth)
        (final_loss + EXIT_WEIGHT * exit_loss).backward()
        torch.nn.utils.clip_grad_norm_(trunk.parameters(), 1.0)
        for each in optimizers:
            each.step()
            each.zero_grad(set_to_none=True)
        state["tokens"] += int((ids != PAD).sum())
        state["steps"] += 1
        running.append((final_loss.item(), exit_loss.item()))
        if now - last_log > 20:
            mean = np.mean(running, axis=0)
            row = {
                "seconds": round(state["seconds"]),
                "tokens": state["tokens"],
                "step": state["steps"],
                "loss": round(float(mean[0]), 4),
                "exitLoss": round(float(mean[1]), 4),
                "rate": rate,
                "tokensPerSecond": round((state["tokens"] - logged_tokens) / (now - last_log)),
            }
            log.write(json.dumps(row) + "\n")
            log.flush()
            print(row, flush=True)
            running, last_log, logged_tokens = [], now, state["tokens"]
        if now - last_save > checkpoint_seconds:
            save_checkpoint(work.generator, trunk, state, optimizers)
            last_save = now
        if state["tokens"] >= next_snapshot:
            save_checkpoint(work.snapshots / f"trunk-{state['tokens'] // 100_000:05d}.pt", trunk, state, None)
            next_snapshot += snapshot_tokens
    save_checkpoint(work.generator, trunk, state, optimizers)
    log.close()
    return trunk


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=50)
    parser.add_argument("--batch-tokens", type=int, default=8192)
    parser.add_argument("--peak", type=float, default=3e-3)
    parser.add_argument("--optimizer", choices=("muon", "adamw"), default="muon")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--max-steps", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--eager", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    train(
        RunFiles(options.work),
        options.minutes * 60,
        batch_tokens=options.batch_tokens,
        peak=options.peak,
        optimizer=options.optimizer,
        seed=options.seed,
        resume=options.resume,
        compiled=not options.eager,
        max_steps=options.max_steps,
    )


if __name__ == "__main__":
    main()
