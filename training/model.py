"""The pocket model: one trunk, a sampler beside it, and two small verifiers on top.

    token ids ─► layer 1 … layer D ─► sampler block ─► `logits` (what the lanes sample from)
                       └► … layer L ─► final readout ─► how surprising was each token?
                                            └► PRM blocks ─► P(this step is right, if the earlier ones are)
                                            └► ORM blocks ─► P(final answer is right)

Why the verifiers read a deeper trunk than the sampler writes with: the trunk knows the right
digit only in its last layers, so a verifier must see the *finished* prediction and compare it
with the token that was written. The sampler is a shallow model that saw little text: it makes the
mistakes of such a model, the same one often enough to outvote what is right.

Shapes: B rows, S new tokens, P cached tokens, T = P + S, V vocabulary, D trunk width.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

NORM_EPSILON = 1e-5
# Added to or put in place of masked scores. Finite: a fully masked row gives garbage, not NaN.
MASKED = -1e9
# Features are clipped so that one wildly unlikely token cannot saturate the projection.
SURPRISE_CLIP = 12.0
SURPRISE_FEATURES = 6


@dataclass(frozen=True)
class TrunkConfig:
    """Sizes of the shared trunk (widths in units of one float)."""

    vocab: int = 1024
    width: int = 256
    layers: int = 6
    heads: int = 8
    kv_heads: int = 4
    head_dim: int = 32
    mlp: int = 704
    context: int = 512
    rope_base: float = 10_000.0
    exits: tuple[int, ...] = (3, 4, 5)

    @property
    def middle(self) -> int:
        """The layer whose hidden states the verifiers read beside the last one's."""
        return self.layers // 2

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(data: dict[str, Any]) -> "TrunkConfig":
        return TrunkConfig(**{**data, "exits": tuple(data["exits"])})


@dataclass(frozen=True)
class VerifierConfig:
    """Sizes of one verifier. heads x head_dim matches the trunk's KV cache on purpose: every
    cache in the exported graph then has one shape, [B, 4, T, 32]."""

    width: int = 128
    blocks: int = 2
    heads: int = 4
    head_dim: int = 32
    mlp: int = 352

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def rope_tables(positions: Tensor, head_dim: int, base: float) -> tuple[Tensor, Tensor]:
    """Cosine and sine of the rotary angles, [..., head_dim / 2] for positions [...]."""
    steps = torch.arange(0, head_dim, 2, dtype=torch.float32, device=positions.device)
    angles = positions.float().unsqueeze(-1) * base ** (-steps / head_dim)
    return angles.cos(), angles.sin()


def apply_rope(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotate x [B, S, heads, head_dim] by cos/sin [B or 1, S, 1, head_dim / 2]."""
    half = x.shape[-1] // 2
    low, high = x[..., :half], x[..., half:]
    return torch.cat((low * cos - high * sin, high * cos + low * sin), dim=-1)


class RMSNorm(nn.Module):
    """Root-mean-square normalisation with a gain per channel."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        return rms_normalise(x) * self.weight.to(x.dtype)


def rms_normalise(x: Tensor) -> Tensor:
    """x divided by its root mean square over the last axis."""
    return x * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + NORM_EPSILON).to(x.dtype)


class Block(nn.Module):
    """Pre-norm attention and SwiGLU. `kv_heads` may be fewer than `heads` (grouped queries)."""

    def __init__(self, width: int, heads: int, kv_heads: int, head_dim: int, mlp: int) -> None:
        super().__init__()
        self.heads, self.kv_heads, self.head_dim, self.mlp = heads, kv_heads, head_dim, mlp
        self.norm_attention = RMSNorm(width)
        self.qkv = nn.Linear(width, (heads + 2 * kv_heads) * head_dim, bias=False)
        self.out = nn.Linear(heads * head_dim, width, bias=False)
        self.norm_mlp = RMSNorm(width)
        self.gate_up = nn.Linear(width, 2 * mlp, bias=False)
        self.down = nn.Linear(mlp, width, bias=False)

    def project(self, x: Tensor, rope: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
        """Queries [B, heads, S, hd], keys and values [B, kv_heads, S, hd]; queries, keys rotated."""
        batch, length, _ = x.shape
        qkv = self.qkv(self.norm_attention(x)).view(batch, length, -1, self.head_dim)
        cos, sin = (table.unsqueeze(-2).to(qkv.dtype) for table in rope)
        rotated = apply_rope(qkv[:, :, : self.heads + self.kv_heads], cos, sin)
        values = qkv[:, :, self.heads + self.kv_heads :]
        return (
            rotated[:, :, : self.heads].transpose(1, 2),
            rotated[:, :, self.heads :].transpose(1, 2),
            values.transpose(1, 2),
        )

    def finish(self, x: Tensor, attended: Tensor) -> Tensor:
        """Add attention output [B, heads, S, hd] and the SwiGLU to the residual x [B, S, width]."""
        batch, length, _ = x.shape
        x = x + self.out(attended.transpose(1, 2).reshape(batch, length, -1))
        gate, up = self.gate_up(self.norm_mlp(x)).split(self.mlp, dim=-1)
        return x + self.down(F.silu(gate) * up)

    def forward(self, x: Tensor, rope: tuple[Tensor, Tensor], bias: Tensor | None = None) -> Tensor:
        """Full causal pass. `bias` is an additive mask [B, 1, S, S] (causality included); without
        it the rows are right-padded, where plain causality is already exact."""
        queries, keys, values = self.project(x, rope)
        return self.finish(x, self.attend(queries, keys, values, bias, causal=bias is None))

    def attend(
        self, queries: Tensor, keys: Tensor, values: Tensor, bias: Tensor | None, causal: bool = False
    ) -> Tensor:
        """Attention over grouped keys and values; returns [B, heads, S, hd]."""
        batch, _, length, _ = queries.shape
        groups, total = self.heads // self.kv_heads, keys.shape[2]
        # Written out: for heads this narrow, compiled elementwise code and two batched products
        # are quicker on a CPU than its fused attention (whose backward took a third of a step).
        # Grouped queries are laid out along the rows, so keys and values are never repeated.
        queries = queries.reshape(batch, self.kv_heads, groups * length, self.head_dim)
        scores = torch.matmul(queries * self.head_dim**-0.5, keys.transpose(2, 3)).float()
        scores = scores.view(batch, self.kv_heads, groups, length, total)
        if causal:
            seen = torch.ones(length, total, dtype=torch.bool, device=scores.device).tril()
            scores = scores.masked_fill(~seen, MASKED)
        elif bias is not None:
            scores = scores + bias.unsqueeze(2)
        weights = torch.softmax(scores, -1).to(values.dtype)
        weights = weights.view(batch, self.kv_heads, groups * length, total)
        return torch.matmul(weights, values).view(batch, self.heads, length, self.head_dim)


class Trunk(nn.Module):
    """The shared transformer with a final readout and several early exits (all tied)."""

    def __init__(self, config: TrunkConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocab, config.width)
        self.layers = nn.ModuleList(
            Block(config.width, config.heads, config.kv_heads, config.head_dim, config.mlp)
            for _ in range(config.layers)
        )
        self.norm = RMSNorm(config.width)
        self.exit_norms = nn.ModuleDict({str(depth): RMSNorm(config.width) for depth in config.exits})
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Normal(0, 0.02-ish) with residual outputs scaled down by depth."""
        nn.init.normal_(self.embedding.weight, std=0.02)
        for layer in self.layers:
            for linear in (layer.qkv, layer.gate_up):
                nn.init.normal_(linear.weight, std=self.config.width**-0.5)
            for linear in (layer.out, layer.down):
                scale = (2 * self.config.layers * linear.in_features) ** -0.5
                nn.init.normal_(linear.weight, std=scale)

    def rope(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        return rope_tables(positions, self.config.head_dim, self.config.rope_base)

    def hiddens(
        self, ids: Tensor, depths: tuple[int, ...], positions: Tensor | None = None, bias: Tensor | None = None
    ) -> dict[int, Tensor]:
        """Residual streams [B, S, D] after the layers named in `depths` (0 = embedding)."""
        if positions is None:
            positions = torch.arange(ids.shape[1], device=ids.device).unsqueeze(0)
        rope = self.rope(positions)
        x = self.embedding(ids)
        kept = {0: x} if 0 in depths else {}
        for depth, layer in enumerate(self.layers, start=1):
            if depth > max(depths):
                break
            x = layer(x, rope, bias)
            if depth in depths:
                kept[depth] = x
        return kept

    def unembed(self, normed: Tensor) -> Tensor:
        """Logits [..., V] by the tied embedding."""
        return F.linear(normed, self.embedding.weight)


@dataclass(frozen=True)
class Readout:
    """Layers in a row with a norm before the trunk's tied embedding: what can be sampled from."""

    trunk: Trunk
    layers: Sequence[Block]
    norm: RMSNorm

    def logits(self, ids: Tensor) -> Tensor:
        """Logits [B, S, V] for right-padded ids [B, S]."""
        rope = self.trunk.rope(torch.arange(ids.shape[1], device=ids.device).unsqueeze(0))
        x = self.trunk.embedding(ids)
        for layer in self.layers:
            x = layer(x, rope, None)
        return self.trunk.unembed(self.norm(x))


def exit_of(trunk: Trunk, depth: int) -> Readout:
    """The trunk's own readout after `depth` layers: one of its exits, or the final one."""
    norm = trunk.norm if depth == trunk.config.layers else trunk.exit_norms[str(depth)]
    return Readout(trunk, list(trunk.layers[:depth]), norm)


class Sampler(nn.Module):
    """One block and a norm on the trunk's first `depth` layers; the trunk does not change with it."""

    def __init__(self, config: TrunkConfig, depth: int) -> None:
        super().__init__()
        self.depth = depth
        self.block = Block(config.width, config.heads, config.kv_heads, config.head_dim, config.mlp)
        self.norm = RMSNorm(config.width)
        for linear in (self.block.qkv, self.block.gate_up):
            nn.init.normal_(linear.weight, std=config.width**-0.5)
        for linear in (self.block.out, self.block.down):
            nn.init.normal_(linear.weight, std=(2 * config.layers * linear.in_features) ** -0.5)

    def readout(self, trunk: Trunk) -> Readout:
        return Readout(trunk, [*trunk.layers[: self.depth], self.block], self.norm)


def surprise(logits: Tensor, ids: Tensor, has_previous: Tensor) -> Tensor:
    """What the final readout, one position earlier, thought of the token that was written.

    logits [B, S, V] predicted the token in ids [B, S]; has_previous [B, S] is 0 for the first
    token of a row. Returns [B, S, 6]: log-probability, gap to the best token, entropy,
    probability, probability relative to the best token's, and has_previous itself.
    """
    logits = logits.float()
    best = logits.max(-1).values
    total = torch.logsumexp(logits, -1)
    probabilities = (logits - total.unsqueeze(-1)).exp()
    entropy = total - (probabilities * logits).sum(-1)
    chosen = logits.gather(-1, ids.unsqueeze(-1)).squeeze(-1)
    log_probability, gap = chosen - total, best - chosen
    features = torch.stack(
        (
            log_probability.clamp(min=-SURPRISE_CLIP) / 4,
            gap.clamp(max=SURPRISE_CLIP) / 4,
            entropy,
            log_probability.exp(),
            (-gap).exp(),
            torch.ones_like(gap),
        ),
        dim=-1,
    )
    return features * has_previous.unsqueeze(-1)


class Verifier(nn.Module):
    """A projection, a few small blocks and one logit per token. Used for the PRM and the ORM."""

    def __init__(self, config: VerifierConfig, trunk: TrunkConfig) -> None:
        super().__init__()
        self.config = config
        self.rope_base = trunk.rope_base
        self.project = nn.Linear(3 * trunk.width + SURPRISE_FEATURES, config.width, bias=False)
        self.blocks = nn.ModuleList(
            Block(config.width, config.heads, config.heads, config.head_dim, config.mlp)
            for _ in range(config.blocks)
        )
        self.norm = RMSNorm(config.width)
        self.head = nn.Linear(config.width, 1)
        # Calibration found on held-out steps: logit -> logit * scale + shift. Not trained.
        self.register_buffer("scale", torch.ones(()))
        self.register_buffer("shift", torch.zeros(()))

    def forward(self, features: Tensor, positions: Tensor | None = None, bias: Tensor | None = None) -> Tensor:
        """Calibrated logits [B, S] from features [B, S, 3 D + 6] of right-padded rows."""
        if positions is None:
            positions = torch.arange(features.shape[1], device=features.device).unsqueeze(0)
        rope = rope_tables(positions, self.config.head_dim, self.rope_base)
        x = self.project(features)
        for block in self.blocks:
            x = block(x, rope, bias)
        return self.head(self.norm(x)).squeeze(-1).float() * self.scale + self.shift


def verifier_features(trunk: Trunk, ids: Tensor) -> Tensor:
    """Everything a verifier may read, [B, S, 3 D + 6], for right-padded ids [B, S]."""
    final, middle = trunk.config.layers, trunk.config.middle
    kept = trunk.hiddens(ids, (0, middle, final))
    normed = trunk.norm(kept[final])
    # The readout one position earlier: row t holds what was predicted for token t.
    previous = F.pad(normed[:, :-1], (0, 0, 1, 0))
    has_previous = torch.ones_like(ids, dtype=torch.float32)
    has_previous[:, 0] = 0
    seen = surprise(trunk.unembed(previous), ids, has_previous)
    streams = (rms_normalise(kept[final]), rms_normalise(kept[middle]), rms_normalise(kept[0]))
    return torch.cat((*streams, seen.to(normed.dtype)), dim=-1)


@torch.no_grad()
def reference_outputs(
    trunk: Trunk, sampler: Sampler | None, prm: Verifier, orm: Verifier, ids: Tensor
) -> tuple[Tensor, Tensor]:
    """What the exported graph must reproduce: the sampler's logits [B, S, V] (the trunk's own without a sampler) and
    rewards [B, S, 2]."""
    features = verifier_features(trunk, ids)
    rewards = torch.stack((prm(features), orm(features)), dim=-1).sigmoid()
    readout = exit_of(trunk, trunk.config.layers) if sampler is None else sampler.readout(trunk)
    return readout.logits(ids), rewards
