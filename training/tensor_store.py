"""ONNX files whose weights are written to disk as they come, and stay beside the graph where one file is too small."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

# What one ONNX message may hold, and one ArrayBuffer of a browser, is a little over this.
LONGEST_FILE = 2_000_000_000
# Shorter arrays stay in the graph: shapes must, and nothing is gained by moving the others.
SHORTEST_OUTSIDE = 1024
ALIGNMENT = 64


class TensorStore:
    """The weights of one ONNX file: `model.onnx_data`, `model.onnx_data_1` and so on, as transformers.js names them."""

    def __init__(self, path: Path, longest: int = LONGEST_FILE) -> None:
        self._path = path
        self._longest = longest
        self._pieces: list[Path] = []
        self._file: BinaryIO | None = None
        self._bytes = 0

    def put(self, name: str, value: np.ndarray) -> TensorProto:
        """An initializer whose numbers are on disk."""
        value = np.ascontiguousarray(value)
        if value.nbytes < SHORTEST_OUTSIDE:
            return numpy_helper.from_array(value, name)
        file = self._file
        if file is None or file.tell() + ALIGNMENT + value.nbytes > self._longest:
            file = self._next_piece()
        file.write(b"\0" * (-file.tell() % ALIGNMENT))
        offset = file.tell()
        value.tofile(file)
        self._bytes += value.nbytes
        tensor = TensorProto(name=name, dims=value.shape, data_type=helper.np_dtype_to_tensor_dtype(value.dtype))
        tensor.data_location = TensorProto.EXTERNAL
        place = {"location": self._pieces[-1].name, "offset": offset, "length": value.nbytes}
        for key, number in place.items():
            tensor.external_data.add(key=key, value=str(number))
        return tensor

    def save(self, model: onnx.ModelProto) -> None:
        """Write the graph; with its weights in it if they fit in one file."""
        if self._file is not None:
            self._file.close()
        onnx.save(model, self._path)
        if self._bytes < self._longest:
            onnx.save(onnx.load(self._path), self._path)
            for piece in self._pieces:
                piece.unlink()
        onnx.checker.check_model(str(self._path))

    def _next_piece(self) -> BinaryIO:
        if self._file is not None:
            self._file.close()
        number = len(self._pieces)
        self._pieces.append(self._path.with_name(f"{self._path.name}_data{f'_{number}' if number else ''}"))
        self._file = self._pieces[-1].open("wb")
        return self._file
