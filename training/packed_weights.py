"""The precisions of a converted model, and how a matrix is packed in each.

A matrix is packed when the graph that uses it is written, not afterwards as in quantise.py: a model of 1.5 billion
parameters is 6 GB in float32, more than one ONNX message may hold, and this way no such graph ever exists.

Every product's weights are packed alike and by their role, whatever their size: tests on tiny models then run the very
nodes of large ones. Norms, biases and small heads stay float32.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from torch import Tensor

BLOCK = 32
# Rows that are unpacked to float32 at a time.
CHUNK = 8192


@dataclass(frozen=True)
class Precision:
    """How weights are stored; `half` computes and caches in float16."""

    dtype: str
    file: str
    bits: int
    half: bool = False


# By the names that the hub's ONNX folders use.
PRECISIONS = {
    precision.dtype: precision
    for precision in (
        Precision("fp32", "model.onnx", 32),
        Precision("q8", "model_quantized.onnx", 8),
        Precision("q4", "model_q4.onnx", 4),
        Precision("q4f16", "model_q4f16.onnx", 4, half=True),
    )
}


def to_numpy(tensor: Tensor) -> np.ndarray:
    return tensor.detach().float().cpu().numpy()


def pack_rows(weight: Tensor) -> tuple[np.ndarray, np.ndarray]:
    """Int8 with a scale per row: (numbers [rows, columns], scales [rows, 1])."""
    numbers = np.empty(tuple(weight.shape), np.int8)
    scales = np.empty((len(weight), 1), np.float32)
    for start in range(0, len(weight), CHUNK):
        part = to_numpy(weight[start : start + CHUNK])
        scale = np.maximum(np.abs(part).max(axis=1, keepdims=True), 1e-12) / 127
        numbers[start : start + CHUNK] = np.clip(np.round(part / scale), -127, 127)
        scales[start : start + CHUNK] = scale
    return numbers, scales


def pack_blocks(weight: Tensor) -> tuple[np.ndarray, np.ndarray]:
    """4 bits in blocks of 32 along the columns, as MatMulNBits reads them without zero points.

    (two numbers to a byte, the first one low [rows, blocks, 16]; scales [rows x blocks]). A number n stands for
    (n - 8) x scale. There is one step more below zero than above, so the scale's sign is chosen such that the largest
    magnitude is on that side.
    """
    rows, columns = weight.shape
    blocks = -(-columns // BLOCK)
    packed = np.empty((rows, blocks, BLOCK // 2), np.uint8)
    scales = np.empty((rows, blocks), np.float32)
    for start in range(0, rows, CHUNK):
        part = to_numpy(weight[start : start + CHUNK])
        part = np.pad(part, ((0, 0), (0, blocks * BLOCK - columns))).reshape(len(part), blocks, BLOCK)
        largest = np.take_along_axis(part, np.abs(part).argmax(axis=2)[..., None], axis=2)
        scale = largest / -8
        inverse = np.divide(1, scale, out=np.zeros_like(scale), where=scale != 0)
        numbers = np.clip(np.round(part * inverse) + 8, 0, 15).astype(np.uint8)
        packed[start : start + CHUNK] = numbers[..., 0::2] | (numbers[..., 1::2] << 4)
        scales[start : start + CHUNK] = scale[..., 0]
    return packed, scales.reshape(-1)
