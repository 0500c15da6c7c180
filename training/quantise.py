"""Smaller files for the browser.

`int8` keeps every weight matrix as int8 with a scale per output channel and multiplies in
float32: the graph holds Cast(int8) x scale, which ONNX Runtime folds into plain float weights when
the session starts. Why not dynamic int8 (quantize_dynamic): it quantises activations with one scale
for the whole batch, so a lane's numbers would depend on which other lanes are running, and a
cached step would differ from the full pass. Here the file is as small and neither happens.

`q4` is 4-bit weights in blocks of 32 (MatMulNBits), for GPUs.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

# Never quantised: heads of a few hundred numbers, where a byte saved costs calibration.
KEPT_WHOLE = (".head", ".norm")


def weight_only_int8(model: onnx.ModelProto, smallest: int = 4096) -> onnx.ModelProto:
    """Replace float matrices of at least `smallest` numbers by int8 and a scale per channel."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    graph = result.graph
    kept: list[onnx.TensorProto] = []
    nodes: list[onnx.NodeProto] = []
    for tensor in graph.initializer:
        if tensor.data_type != TensorProto.FLOAT or len(tensor.dims) != 2 or np.prod(tensor.dims) < smallest:
            kept.append(tensor)
            continue
        weight = numpy_helper.to_array(tensor)
        # Output channels are columns of a MatMul weight, rows of an embedding.
        axis = 1 if tensor.name == "embedding.weight" else 0
        scale = np.maximum(np.abs(weight).max(axis=axis, keepdims=True), 1e-12) / 127
        packed = np.clip(np.round(weight / scale), -127, 127).astype(np.int8)
        name = tensor.name
        kept.append(numpy_helper.from_array(packed, f"{name}.int8"))
        kept.append(numpy_helper.from_array(scale.astype(np.float32), f"{name}.scale"))
        nodes.append(
            helper.make_node("Cast", [f"{name}.int8"], [f"{name}.float"], name=f"{name}/cast", to=TensorProto.FLOAT)
        )
        nodes.append(helper.make_node("Mul", [f"{name}.float", f"{name}.scale"], [name], name=f"{name}/scale"))
    nodes.extend(graph.node)
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(kept)
    graph.node.extend(nodes)
    onnx.checker.check_model(result)
    return result


def block_int4(model: onnx.ModelProto, exclude: Callable[[str], bool] = lambda name: False) -> onnx.ModelProto:
    """MatMulNBits with 4 bits, blocks of 32, symmetric. `exclude` sees each weight's name."""
    from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer

    logging.getLogger("onnxruntime.quantization.matmul_nbits_quantizer").setLevel(logging.WARNING)
    source = onnx.ModelProto()
    source.CopyFrom(model)
    skipped = [
        node.name
        for node in source.graph.node
        if node.op_type == "MatMul" and (any(part in node.input[1] for part in KEPT_WHOLE) or exclude(node.input[1]))
    ]
    quantiser = MatMulNBitsQuantizer(
        source, bits=4, block_size=32, is_symmetric=True, accuracy_level=4, nodes_to_exclude=skipped
    )
    quantiser.process()
    # What is left in float32 (the embedding, excluded matrices) is stored as int8.
    return weight_only_int8(quantiser.model.model)
