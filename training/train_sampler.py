"""Train the sampler: one block on the first layers of the finished trunk, which stays as it is.

It sees little text on purpose. What makes the picks differ is a sampler that is often wrong, and wrong the same way in
several lanes, below verifiers that know better; more text makes it right more often, and votes with it.
"""

from __future__ import annotations

from pathlib import Path

import torch

from .files import RunFiles
from .model import Sampler, Trunk
from .precision import quick_products
from .tokenizer import PAD
from .train_generator import ShardStream, rate_at, readout_loss, token_weights


def train_sampler(
    work: RunFiles,
    trunk: Trunk,
    depth: int,
    tokens: float,
    *,
    temperature: float = 1.0,
    batch_tokens: int = 8192,
    peak: float = 3e-3,
    seed: int = 0,
    compiled: bool = True,
) -> None:
    """Trains on about `tokens` tokens of the corpus; saves the sampler, and as it was after half of them.

    Sampling from what is saved at temperature 1 is sampling from what was trained at `temperature`.
    """
    torch.manual_seed(seed)
    trunk.requires_grad_(False)
    sampler = Sampler(trunk.config, depth)
    loss_of = torch.compile(readout_loss, dynamic=True) if compiled else readout_loss
    if compiled:
        for block in (*trunk.layers[:depth], sampler.block):
            block.compile(dynamic=True)
    matrices = [p for p in sampler.parameters() if p.ndim == 2]
    gains = [p for p in sampler.parameters() if p.ndim < 2]
    optimizers = [
        torch.optim.Muon(matrices, lr=1.0, weight_decay=0.05, adjust_lr_fn="match_rms_adamw"),
        torch.optim.AdamW(gains, lr=1.0, weight_decay=0.0, betas=(0.9, 0.95)),
    ]
    seen = 0
    # Another order of the shards' rows than the trunk saw.
    for ids, problem in ShardStream(work.root / "corpus", batch_tokens, seed + 1):
        for each in optimizers:
            for group in each.param_groups:
                group["lr"] = rate_at(seen / tokens, peak, warm_up=0.02)
        with quick_products():
            with torch.no_grad():
                hidden = trunk.hiddens(ids[:, :-1], (depth,))[depth]
            written = sampler.block(hidden, trunk.rope(torch.arange(hidden.shape[1]).unsqueeze(0)))
            weights = token_weights(ids, problem)
            loss = loss_of(sampler.norm.weight, trunk.embedding.weight, written, ids[:, 1:], weights)
        loss.backward()
        for each in optimizers:
            each.step()
            each.zero_grad(set_to_none=True)
        before, seen = seen, seen + int((ids != PAD).sum())
        if before < tokens / 2 <= seen:
            save_sampler(work.earlier_sampler, sampler, temperature)
        if seen // 200_000 > before // 200_000:
            print(f"sampler: {seen} tokens, loss {loss.item():.3f}", flush=True)
        if seen >= tokens:
            save_sampler(work.sampler, sampler, temperature)
            return
    raise AssertionError("the stream of batches is endless")


def save_sampler(path: Path, sampler: Sampler, temperature: float) -> None:
    """Saves a sampler whose logits are those of `sampler` divided by the temperature: they are linear in the norm's gain."""
    weights = {**sampler.state_dict(), "norm.weight": sampler.norm.weight.detach() / temperature}
    torch.save({"depth": sampler.depth, "weights": weights}, path)
