"""The graph of a Llama-like decoder with a head for scores, written node by node as onnx_graph.py does.

It is one graph for llama, mistral, qwen2 and qwen3: the tensors of a model show whether it has biases and norms of
queries and keys. Inputs and outputs are those of Optimum's exports (input_ids, attention_mask, position_ids,
past_key_values.N.key/value [batch, kv_heads, past, head_dim], present.N.key/value), so what runs those runs these.

Plain opset-17 operators, and MatMulNBits for 4 bits. With `half`, products are float16 while the residual stream, the
norms and the softmax stay float32: what a layer adds is small beside the stream, and single channels of it reach
thousands, whose squares float16 does not hold.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import onnx
from onnx import TensorProto, helper
from torch import Tensor

from .decoder_weights import DecoderConfig, WeightFolder
from .onnx_graph import MASKED, OPSET, GraphBuilder
from .packed_weights import BLOCK, Precision, pack_blocks, pack_rows, to_numpy
from .tensor_store import TensorStore

EMBEDDING = "model.embed_tokens.weight"
UNEMBEDDING = "lm_head.weight"
MICROSOFT = "com.microsoft"


@dataclass(frozen=True)
class SmallHead:
    """A few scores at every position, float32: output [batch, length, rows of the weight]."""

    output: str
    weight: Tensor
    bias: Tensor | None = None


class StoredGraphBuilder(GraphBuilder):
    """A GraphBuilder whose weights go to disk."""

    def __init__(self, store: TensorStore) -> None:
        super().__init__()
        self._store = store

    def array(self, name: str, value: np.ndarray) -> str:
        if name not in self.initializers:
            self.initializers[name] = self._store.put(name, value)
        return name


class DecoderGraph:
    """Builds one ONNX file. `head` is `None` for a generator, which has logits over its vocabulary."""

    def __init__(
        self, config: DecoderConfig, weights: WeightFolder, precision: Precision, head: SmallHead | None, store: TensorStore
    ) -> None:
        self.g = StoredGraphBuilder(store)
        self.config, self.weights, self.precision, self.head = config, weights, precision, head
        self.working = TensorProto.FLOAT16 if precision.half else TensorProto.FLOAT

    # -- types -----------------------------------------------------------------------------

    def narrow(self, x: str) -> str:
        """float32 as the type that products are computed in."""
        return self.g.op("Cast", x, to=self.working) if self.precision.half else x

    def widen(self, x: str) -> str:
        return self.g.op("Cast", x, to=TensorProto.FLOAT) if self.precision.half else x

    def constant(self, name: str, value: np.ndarray) -> str:
        """In the type that products are computed in."""
        return self.g.array(name, value.astype(np.float16 if self.precision.half else np.float32))

    # -- weights ---------------------------------------------------------------------------

    def linear(self, x: str, name: str, weight: Tensor, bias: Tensor | None = None) -> str:
        """x @ weight^T + bias in the working type, packed as the precision says."""
        g = self.g
        if self.precision.bits == 4:
            packed, scales = pack_blocks(weight)
            rows, columns = weight.shape
            inputs = [x, g.array(f"{name}.weight.int4", packed), self.constant(f"{name}.weight.scales", scales)]
            shape = {"K": columns, "N": rows, "bits": 4, "block_size": BLOCK, "accuracy_level": 4}
            product = g.op("MatMulNBits", *inputs, domain=MICROSOFT, **shape)
        elif self.precision.bits == 8:
            # ONNX Runtime folds this into float32 weights when the session starts; see quantise.py for why.
            numbers, scales = pack_rows(weight)
            whole = g.op("Cast", g.array(f"{name}.weight.int8", numbers.T), to=TensorProto.FLOAT)
            product = g.op("MatMul", x, g.op("Mul", whole, g.array(f"{name}.weight.scales", scales.T)))
        else:
            product = g.op("MatMul", x, g.array(f"{name}.weight", to_numpy(weight).T))
        return product if bias is None else g.op("Add", product, self.constant(f"{name}.bias", to_numpy(bias)))

    def embed(self) -> str:
        """Rows of the embedding, float32. Rows are taken before they are unpacked, so the table stays small."""
        g, table = self.g, self.weights.read(EMBEDDING)
        if self.precision.bits == 32:
            return g.op("Gather", g.array("embedding.weight", to_numpy(table)), "input_ids", axis=0)
        numbers, scales = pack_rows(table)
        rows = g.op("Gather", g.array("embedding.weight.int8", numbers), "input_ids", axis=0)
        scale = g.op("Gather", g.array("embedding.weight.scales", scales), "input_ids", axis=0)
        return g.op("Mul", g.op("Cast", rows, to=TensorProto.FLOAT), scale)

    def unembed(self, x: str) -> str:
        if self.config.tied and self.precision.bits == 32:
            # The table is in the file once; ONNX Runtime turns it when the session starts.
            return self.g.op("MatMul", x, self.g.transpose("embedding.weight", [1, 0]))
        weight = self.weights.read(EMBEDDING if self.config.tied else UNEMBEDDING)
        return self.widen(self.linear(self.narrow(x), "unembedding", weight))

    def norm(self, x: str, name: str, weight: np.ndarray) -> str:
        """RMS norm over the last axis, float32 in and out."""
        g = self.g
        mean = g.op("ReduceMean", g.op("Mul", x, x), axes=[-1], keepdims=1)
        root = g.op("Sqrt", g.op("Add", mean, g.number(self.config.epsilon)))
        return g.op("Mul", g.op("Div", x, root), g.array(name, weight))

    # -- parts -----------------------------------------------------------------------------

    def prepare(self) -> None:
        """The additive mask and the rotary tables."""
        g, config = self.g, self.config
        g.scope = "inputs"
        self.length = g.op("Gather", g.op("Shape", "input_ids"), g.ints(1))
        total = g.op("Gather", g.op("Shape", "attention_mask"), g.ints(1))
        past = g.op("Sub", total, self.length)
        columns = g.unsqueeze(g.op("Range", g.ints(0), total, g.ints(1)), [0])  # [1, T]
        rows = g.unsqueeze(g.op("Range", past, total, g.ints(1)), [1])  # [S, 1]
        upto = g.op("Cast", g.op("LessOrEqual", columns, rows), to=TensorProto.FLOAT)
        live = g.unsqueeze(g.op("Cast", "attention_mask", to=TensorProto.FLOAT), [1])  # [B, 1, T]
        allowed = g.op("Mul", live, g.unsqueeze(upto, [0]))  # [B, S, T]
        bias = g.unsqueeze(g.op("Mul", g.op("Sub", g.number(1.0), allowed), g.number(MASKED)), [1])
        groups = config.heads // config.kv_heads
        # Grouped queries are laid out along the rows instead of repeating keys and values.
        self.bias = g.op("Concat", *([bias] * groups), axis=2) if groups > 1 else bias
        positions = g.unsqueeze(g.op("Cast", "position_ids", to=TensorProto.FLOAT), [2, 3])
        angles = g.op("Mul", positions, g.array("rope.frequencies", config.frequencies.astype(np.float32)))
        self.cos, self.sin = self.narrow(g.op("Cos", angles)), self.narrow(g.op("Sin", angles))  # [B, S, 1, hd / 2]

    def cached(self, index: int, part: str, new: str) -> str:
        """Append new keys or values [B, kv_heads, S, head_dim] to the cache."""
        return self.g.op("Concat", f"past_key_values.{index}.{part}", new, name=f"present.{index}.{part}", axis=2)

    def attention(self, x: str, index: int, scope: str) -> str:
        g, config, weights = self.g, self.config, self.weights
        source, hd, groups = f"model.layers.{index}.self_attn", config.head_dim, config.heads // config.kv_heads
        names = [f"{source}.{part}_proj" for part in "qkv"]
        joined = weights.joined([f"{name}.weight" for name in names])
        parts = self.linear(x, f"{scope}.qkv", joined, weights.joined_biases(names))
        parts = g.reshape(parts, [0, 0, config.heads + 2 * config.kv_heads, hd])
        rotated, values = g.split(parts, [config.heads + config.kv_heads, config.kv_heads], axis=2)
        if f"{source}.q_norm.weight" in weights:
            per_head = [
                np.tile(to_numpy(weights.read(f"{source}.{part}_norm.weight")), (count, 1))
                for part, count in (("q", config.heads), ("k", config.kv_heads))
            ]
            normed = self.norm(self.widen(rotated), f"{scope}.norm_qk", np.concatenate(per_head))
            rotated = self.narrow(normed)
        queries, keys = g.split(g.rotate(rotated, hd // 2, self.cos, self.sin), [config.heads, config.kv_heads], axis=2)
        # Scaled before the product, which float16 might not hold otherwise.
        queries = g.op("Mul", queries, self.constant("attention.scale", np.array(hd**-0.5)))
        queries = g.reshape(queries, [0, 0, config.kv_heads, groups, hd])
        queries = g.reshape(g.transpose(queries, [0, 2, 3, 1, 4]), [0, config.kv_heads, -1, hd])
        keys = self.cached(index, "key", g.transpose(keys, [0, 2, 1, 3]))
        values = self.cached(index, "value", g.transpose(values, [0, 2, 1, 3]))
        scores = self.widen(g.op("MatMul", queries, g.transpose(keys, [0, 1, 3, 2])))
        shares = self.narrow(g.op("Softmax", g.op("Add", scores, self.bias), axis=-1))
        attended = g.reshape(g.op("MatMul", shares, values), [0, config.kv_heads, groups, -1, hd])
        attended = g.reshape(g.transpose(attended, [0, 3, 1, 2, 4]), [0, 0, config.heads * hd])
        return self.projection(attended, f"{scope}.out", f"{source}.o_proj")

    def projection(self, x: str, name: str, source: str) -> str:
        return self.linear(x, name, self.weights.read(f"{source}.weight"), self.weights.joined_biases([source]))

    def mlp(self, x: str, index: int, scope: str) -> str:
        g, source = self.g, f"model.layers.{index}.mlp"
        names = [f"{source}.gate_proj", f"{source}.up_proj"]
        both = self.weights.joined([f"{name}.weight" for name in names])
        product = self.linear(x, f"{scope}.gate_up", both, self.weights.joined_biases(names))
        gate, up = g.split(product, [len(both) // 2] * 2, axis=2)
        gated = g.op("Mul", g.op("Mul", gate, g.op("Sigmoid", gate)), up)
        return self.projection(gated, f"{scope}.down", f"{source}.down_proj")

    def layer(self, x: str, index: int) -> str:
        g, source, scope = self.g, f"model.layers.{index}", f"layers.{index}"
        for part, name in ((self.attention, "input_layernorm"), (self.mlp, "post_attention_layernorm")):
            g.scope = f"{scope}.{part.__name__}"
            normed = self.norm(x, f"{scope}.{name}", to_numpy(self.weights.read(f"{source}.{name}.weight")))
            x = g.op("Add", x, self.widen(part(self.narrow(normed), index, scope)))
        return x

    def keep(self, x: str) -> str:
        """The last `num_logits_to_keep` positions; 0 keeps all."""
        g, keep = self.g, "num_logits_to_keep"
        start = g.op("Max", g.op("Sub", self.length, keep), g.ints(0))
        start = g.op("Where", g.op("Equal", keep, g.ints(0)), g.ints(0), start)
        return g.op("Slice", x, g.reshape(start, [1]), g.ints([int(np.iinfo(np.int64).max)]), g.ints([1]))

    # -- the whole -------------------------------------------------------------------------

    def build(self) -> onnx.ModelProto:
        g = self.g
        self.prepare()
        g.scope = "embedding"
        x = self.embed()
        for index in range(self.config.layers):
            x = self.layer(x, index)
        g.scope = "head"
        x = self.norm(x if self.head else self.keep(x), "final.norm", to_numpy(self.weights.read("model.norm.weight")))
        if self.head is None:
            return self.model(self.unembed(x), "logits", ["batch", "kept", self.config.vocab])
        scores = g.op("MatMul", x, g.array("head.weight", to_numpy(self.head.weight).T))
        if self.head.bias is not None:
            scores = g.op("Add", scores, g.array("head.bias", to_numpy(self.head.bias)))
        return self.model(scores, self.head.output, ["batch", "length", len(self.head.weight)])

    def model(self, scores: str, output: str, shape: list[str | int]) -> onnx.ModelProto:
        g, config = self.g, self.config
        g.op("Identity", scores, name=output)
        value = helper.make_tensor_value_info
        inputs = [
            value("input_ids", TensorProto.INT64, ["batch", "length"]),
            value("attention_mask", TensorProto.INT64, ["batch", "total"]),
            value("position_ids", TensorProto.INT64, ["batch", "length"]),
        ]
        if self.head is None:
            inputs.append(value("num_logits_to_keep", TensorProto.INT64, []))
        outputs = [value(output, TensorProto.FLOAT, shape)]
        for index in range(config.layers):
            for part in ("key", "value"):
                dims = [["batch", config.kv_heads, positions, config.head_dim] for positions in ("past", "total")]
                inputs.append(value(f"past_key_values.{index}.{part}", self.working, dims[0]))
                outputs.append(value(f"present.{index}.{part}", self.working, dims[1]))
        graph = helper.make_graph(g.nodes, "steplight-decoder", inputs, outputs, list(g.initializers.values()))
        imports = [helper.make_opsetid("", OPSET)]
        if self.precision.bits == 4:
            imports.append(helper.make_opsetid(MICROSOFT, 1))
        model = helper.make_model(graph, opset_imports=imports, producer_name="steplight")
        model.ir_version = 9
        return model
