"""A Hugging Face model folder read for conversion: its shape from config.json, its tensors one by one.

Nothing here holds more than one tensor of the file, so the memory a conversion needs is set by what it writes.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import safe_open
from torch import Tensor

# Architectures whose graph decoder_graph.py writes. They differ in biases and in the norm of queries and keys, which
# the tensors themselves show.
MODEL_TYPES = ("llama", "mistral", "qwen2", "qwen3")


class UnsupportedModel(ValueError):
    """The model has a part that the converter would compute wrongly. The message says which."""


@dataclass(frozen=True)
class DecoderConfig:
    """The shape of a decoder."""

    layers: int
    width: int
    heads: int
    kv_heads: int
    head_dim: int
    vocab: int
    context: int
    epsilon: float
    tied: bool
    # Of one head's rotary pairs, the angle per position.
    frequencies: np.ndarray

    @staticmethod
    def from_json(raw: dict[str, Any]) -> "DecoderConfig":
        """@raises UnsupportedModel if config.json asks for something that the graph does not compute"""
        kind = raw.get("model_type")
        if kind not in MODEL_TYPES:
            raise UnsupportedModel(f'model_type "{kind}" is not one of {", ".join(MODEL_TYPES)}.')
        if raw.get("hidden_act", "silu") != "silu":
            raise UnsupportedModel(f'hidden_act "{raw["hidden_act"]}" is not silu.')
        if "quantization_config" in raw:
            raise UnsupportedModel("The weights are quantised already; convert the original model.")
        heads, width = raw["num_attention_heads"], raw["hidden_size"]
        head_dim = raw.get("head_dim") or width // heads
        context = raw["max_position_embeddings"]
        # Within its window, attention that slides is attention to everything: the context is cut to where they part.
        slides = raw.get("use_sliding_window", kind == "mistral")
        if slides and raw.get("sliding_window"):
            context = min(context, raw["sliding_window"])
        return DecoderConfig(
            layers=raw["num_hidden_layers"],
            width=width,
            heads=heads,
            kv_heads=raw.get("num_key_value_heads") or heads,
            head_dim=head_dim,
            vocab=raw["vocab_size"],
            context=context,
            epsilon=raw["rms_norm_eps"],
            tied=raw.get("tie_word_embeddings", False),
            frequencies=rope_frequencies(raw, head_dim),
        )


def rope_frequencies(raw: dict[str, Any], head_dim: int) -> np.ndarray:
    """The angle per position of each rotary pair; older files say `rope_scaling`, newer ones `rope_parameters`."""
    rope = {"rope_theta": raw.get("rope_theta", 10000.0), **(raw.get("rope_scaling") or {}), **(raw.get("rope_parameters") or {})}
    if rope.get("partial_rotary_factor", raw.get("partial_rotary_factor", 1)) != 1:
        raise UnsupportedModel("Only whole heads can be rotated (partial_rotary_factor).")
    plain = float(rope["rope_theta"]) ** (-np.arange(0, head_dim, 2, dtype=np.float32) / head_dim)
    kind = rope.get("rope_type", rope.get("type", "default"))
    if kind == "default":
        return plain
    if kind == "linear":
        return plain / np.float32(rope["factor"])
    if kind != "llama3":
        raise UnsupportedModel(f'RoPE scaling of type "{kind}" is not known.')
    # Slow pairs are stretched by the factor, quick ones stay, and between the two it goes over smoothly.
    turns = rope["original_max_position_embeddings"] * plain / (2 * math.pi)
    low, high = rope["low_freq_factor"], rope["high_freq_factor"]
    share = np.clip((turns - low) / (high - low), 0, 1)
    return ((1 - share) * plain / rope["factor"] + share * plain).astype(np.float32)


class WeightFolder:
    """Tensors of a folder's *.safetensors by name, each read when it is asked for."""

    def __init__(self, folder: Path) -> None:
        self._files: dict[str, Path] = {}
        for path in sorted(folder.glob("*.safetensors")):
            with safe_open(path, framework="pt") as file:
                self._files.update(dict.fromkeys(file.keys(), path))
        if not self._files:
            raise UnsupportedModel("The folder has no *.safetensors.")

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def read(self, name: str) -> Tensor:
        """In the type it is stored in."""
        if name not in self._files:
            raise UnsupportedModel(f'The weights have no "{name}".')
        with safe_open(self._files[name], framework="pt") as file:
            return file.get_tensor(name)

    def joined(self, names: list[str]) -> Tensor:
        """Matrices of the same input, one below the other, so that they are one product."""
        return torch.cat([self.read(name) for name in names])

    def joined_biases(self, names: list[str]) -> Tensor | None:
        """Likewise their biases, if they have any; a matrix without one gets zeros."""
        if not any(f"{name}.bias" in self for name in names):
            return None
        return torch.cat(
            [
                self.read(f"{name}.bias") if f"{name}.bias" in self else torch.zeros(len(self.read(f"{name}.weight")))
                for name in names
            ]
        )


def read_config(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "config.json").read_text())
