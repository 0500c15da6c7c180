"""Fine-tune the pretrained trunk. Stop it at any moment and run it again: it goes on from the last checkpoint.

The learning rate follows the wall clock, as in train_generator.py. Snapshots without optimiser state are kept at
growing numbers of tokens: the curve of quality against training tokens is measured on them.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import torch

from ..model import Trunk
from ..precision import quick_products
from ..train_generator import rate_at, readout_loss, save_checkpoint
from .text import TrainingText

SNAPSHOTS = (100_000, 300_000, 600_000, 900_000, 1_200_000, 1_600_000, 2_000_000, 3_000_000, 4_000_000, 6_000_000)


def fine_tune(
    trunk: Trunk,
    text: TrainingText,
    folder: Path,
    seconds: float,
    *,
    batch_tokens: int = 1_536,
    peak: float = 4e-4,
    seed: int = 0,
    compiled: bool = True,
    checkpoint_seconds: float = 240.0,
    max_steps: int | None = None,
) -> dict[str, float]:
    """Trains `trunk` in place for `seconds` in all (resumed time counts); returns seconds, tokens and steps."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(seed)
    trunk.to(device).train()
    matrices = [parameter for parameter in trunk.layers.parameters() if parameter.ndim == 2]
    inside = {id(parameter) for parameter in matrices}
    others = [parameter for parameter in trunk.parameters() if id(parameter) not in inside]
    groups = [{"params": matrices, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=1.0, betas=(0.9, 0.97), fused=True)
    state = {"seconds": 0.0, "tokens": 0, "steps": 0}
    path = folder / "trunk.pt"
    if path.exists():
        saved = torch.load(path, map_location=device, weights_only=True)
        trunk.load_state_dict(saved["weights"])
        optimizer.load_state_dict(saved["optimizers"][0])
        state = saved["state"]
    readout = torch.compile(readout_loss, dynamic=True) if compiled else readout_loss
    if compiled:
        for layer in trunk.layers:
            layer.compile(dynamic=True)
    last = trunk.config.layers
    started, before = time.monotonic(), state["seconds"]
    last_log = last_save = started
    logged, running = state["tokens"], []
    # Another stream after each resumption; which rows were drawn before does not matter, there is no end to them.
    for ids, weights, real in text.batches(seed + state["steps"], batch_tokens):
        now = time.monotonic()
        state["seconds"] = before + now - started
        if state["seconds"] >= seconds or (max_steps is not None and state["steps"] >= max_steps):
            break
        rate = rate_at(state["seconds"] / seconds, peak, warm_up=0.03, decay=0.6)
        for group in optimizer.param_groups:
            group["lr"] = rate
        ids, weights = ids.to(device), weights.to(device)
        with quick_products(device):
            hidden = trunk.hiddens(ids[:, :-1], (last,))[last]
            loss = readout(trunk.norm.weight, trunk.embedding.weight, hidden, ids[:, 1:], weights)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trunk.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        previous = state["tokens"]
        state["tokens"] += real
        state["steps"] += 1
        running.append(loss.item())
        if now - last_log > 20:
            row = {
                "seconds": round(state["seconds"]),
                "tokens": state["tokens"],
                "step": state["steps"],
                "loss": round(float(np.mean(running)), 4),
                "rate": rate,
                "tokensPerSecond": round((state["tokens"] - logged) / (now - last_log)),
            }
            with (folder / "train.jsonl").open("a") as log:
                log.write(json.dumps(row) + "\n")
            print(row, flush=True)
            running, last_log, logged = [], now, state["tokens"]
        if now - last_save > checkpoint_seconds:
            save_checkpoint(path, trunk, state, [optimizer])
            last_save = now
        if any(previous < mark <= state["tokens"] for mark in SNAPSHOTS):
            save_checkpoint(folder / f"trunk-{state['tokens'] // 1000:05d}k.pt", trunk, state, None)
    save_checkpoint(path, trunk, state, [optimizer])
    trunk.to("cpu").eval()
    return state
