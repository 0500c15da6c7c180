"""What the verifiers read of each labelled solution, computed once."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from .label import Labelled
from .model import Trunk, verifier_features
from .precision import has_bfloat16_products, quick_products
from .train_verifier import batches, tensors


class FeatureCache:
    """The trunk is frozen, and most of the work. Kept in bfloat16, about 1.5 kB a token of the pocket models; a row is known
    by its identity, so rows must outlive the cache."""

    def __init__(self, trunk: Trunk) -> None:
        self.trunk = trunk
        self.kept: dict[int, Tensor] = {}

    @torch.no_grad()
    def fill(self, rows: list[Labelled], batch_tokens: int) -> None:
        for batch in batches(rows, batch_tokens, np.random.default_rng(0)):
            with quick_products():
                self(batch, tensors(batch)[0])

    def __call__(self, rows: list[Labelled], ids: Tensor) -> Tensor:
        """[B, S, 3 D + 6] for rows with ids [B, S]; zeros where a row has no token."""
        if any(id(row) not in self.kept for row in rows):
            features = verifier_features(self.trunk, ids).to(torch.bfloat16)
            for place, row in enumerate(rows):
                self.kept.setdefault(id(row), features[place, : len(row.tokens)].clone())
        width = self.kept[id(rows[0])].shape[-1]
        features = torch.zeros(*ids.shape, width, dtype=torch.bfloat16 if has_bfloat16_products() else torch.float32)
        for place, row in enumerate(rows):
            features[place, : len(row.tokens)] = self.kept[id(row)]
        return features
