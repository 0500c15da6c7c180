"""The exported graph, written node by node.

Why by hand and not through torch.onnx: the graph has dynamic batch, length and cache, a scalar
that slices two outputs, and a cache entry that is not attention at all. Written out it is plain
opset-17 operators with four-dimensional attention, and every name is ours, so the quantiser can
be told by name what to leave alone. tests/test_export.py holds it equal to model.py.

Cache pairs, all float32 [B, 4, T, 32]:
    0 .. L-1        the trunk's layers
    L               the final readout's hidden state: its 256 numbers as 2 x (4 x 32). A single
                    new token needs the prediction made one position earlier, and this is it.
                    A width that is no multiple of a pair's numbers takes more pairs, zeros last.
    L+1 .. L+b      the PRM's blocks
    L+b+1 .. L+2b   the ORM's blocks
    L+2b+1          the sampler's block, if there is one: without it the lanes sample from the
                    trunk's final readout
"""

from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor

from .model import NORM_EPSILON, SURPRISE_CLIP, Block, Sampler, Trunk, TrunkConfig, Verifier

OPSET = 17
# Added to the scores of masked columns. Large and finite: a fully masked row becomes uniform
# attention over garbage, never NaN.
MASKED = -1e9


def hidden_pairs(config: TrunkConfig) -> int:
    """How many cache pairs hold one hidden state."""
    return -(-config.width // (2 * config.kv_heads * config.head_dim))


def cache_pairs(trunk: Trunk, sampler: Sampler | None, prm: Verifier, orm: Verifier) -> int:
    """How many key/value pairs the graph declares (config.json's num_hidden_layers)."""
    blocks = len(prm.blocks) + len(orm.blocks) + (sampler is not None)
    return len(trunk.layers) + hidden_pairs(trunk.config) + blocks


class GraphBuilder:
    """Appends nodes and constants; every method returns the name of its result."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: dict[str, onnx.TensorProto] = {}
        self.scope = ""

    def op(self, kind: str, *inputs: str, name: str | None = None, **attributes: object) -> str:
        output = name or f"{self.scope}/{kind}_{len(self.nodes)}"
        self.nodes.append(
            helper.make_node(kind, list(inputs), [output], name=f"{output}/node", **attributes)
        )
        return output

    def split(self, x: str, sizes: list[int], axis: int) -> list[str]:
        names = [f"{self.scope}/Split_{len(self.nodes)}_{i}" for i in range(len(sizes))]
        self.nodes.append(
            helper.make_node("Split", [x, self.ints(sizes)], names, name=f"{names[0]}/node", axis=axis)
        )
        return names

    def array(self, name: str, value: np.ndarray) -> str:
        if name not in self.initializers:
            self.initializers[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def weight(self, name: str, tensor: Tensor) -> str:
        return self.array(name, tensor.detach().float().cpu().numpy())

    def ints(self, values: list[int] | int) -> str:
        text = "_".join(map(str, values)) if isinstance(values, list) else f"scalar_{values}"
        return self.array(f"int/{text}", np.array(values, dtype=np.int64))

    def number(self, value: float) -> str:
        return self.array(f"number/{value!r}", np.array(value, dtype=np.float32))

    def reshape(self, x: str, shape: list[int]) -> str:
        return self.op("Reshape", x, self.ints(shape))

    def unsqueeze(self, x: str, axes: list[int]) -> str:
        return self.op("Unsqueeze", x, self.ints(axes))

    def transpose(self, x: str, order: list[int]) -> str:
        return self.op("Transpose", x, perm=order)

    def linear(self, x: str, name: str, weight: Tensor) -> str:
        """x @ weight^T, as a MatMul whose name the quantiser sees."""
        return self.op("MatMul", x, self.weight(f"{name}.weight", weight.t()))

    def rms(self, x: str) -> str:
        mean = self.op("ReduceMean", self.op("Mul", x, x), axes=[-1], keepdims=1)
        root = self.op("Sqrt", self.op("Add", mean, self.number(NORM_EPSILON)))
        return self.op("Div", x, root)

    def rotate(self, x: str, half: int, cos: str, sin: str) -> str:
        """Rotary positions of x [B, S, heads, 2 * half]: the first half of each head with the second."""
        low, high = self.split(x, [half, half], axis=3)
        return self.op(
            "Concat",
            self.op("Sub", self.op("Mul", low, cos), self.op("Mul", high, sin)),
            self.op("Add", self.op("Mul", high, cos), self.op("Mul", low, sin)),
            axis=3,
        )


class ModelGraph:
    """Builds the whole model."""

    def __init__(
        self, trunk: Trunk, sampler: Sampler | None, prm: Verifier, orm: Verifier, one_table: bool = False
    ) -> None:
        """With `one_table` the file holds the embedding once, turned for the readout when a session starts; without it
        the readout has a copy, which can be packed in another way."""
        self.one_table = one_table
        self.g = GraphBuilder()
        self.trunk, self.sampler, self.prm, self.orm = trunk, sampler, prm, orm
        self.cache_entries = 0

    # -- inputs shared by every block ------------------------------------------------------

    def prepare(self) -> None:
        """Lengths, additive mask, rotary tables, and where each token's predecessor is cached."""
        g = self.g
        g.scope = "inputs"
        shape = g.op("Shape", "input_ids")
        self.batch = g.op("Gather", shape, g.ints(0))
        length = g.op("Gather", shape, g.ints(1))
        self.length = length
        total = g.op("Gather", g.op("Shape", "attention_mask"), g.ints(1))
        self.total = total
        past = g.op("Sub", total, length)
        columns = g.op("Cast", g.op("Range", g.ints(0), total, g.ints(1)), to=TensorProto.FLOAT)
        rows = g.op("Cast", g.op("Range", past, total, g.ints(1)), to=TensorProto.FLOAT)
        rows = g.unsqueeze(rows, [1])  # [S, 1]
        columns = g.unsqueeze(columns, [0])  # [1, T]
        live = g.unsqueeze(g.op("Cast", "attention_mask", to=TensorProto.FLOAT), [1])  # [B, 1, T]
        upto = g.op("Cast", g.op("LessOrEqual", columns, rows), to=TensorProto.FLOAT)
        before = g.op("Cast", g.op("Less", columns, rows), to=TensorProto.FLOAT)
        allowed = g.op("Mul", live, g.unsqueeze(upto, [0]))  # [B, S, T]
        masked = g.op("Mul", g.op("Sub", g.number(1.0), allowed), g.number(MASKED))
        self.bias = g.unsqueeze(masked, [1])  # [B, 1, S, T]
        groups = self.trunk.config.heads // self.trunk.config.kv_heads
        # Grouped queries are laid out along the rows instead of repeating keys and values.
        self.grouped_bias = (
            g.op("Concat", *([self.bias] * groups), axis=2) if groups > 1 else self.bias
        )
        # The predecessor is the last unmasked column before the token (masks may have holes).
        marked = g.op("Mul", g.op("Mul", live, g.unsqueeze(before, [0])), g.op("Add", columns, g.number(1.0)))
        last = g.op("ReduceMax", marked, axes=[2], keepdims=0)  # [B, S], 0 when there is none
        self.has_previous = g.unsqueeze(g.op("Min", last, g.number(1.0)), [2])  # [B, S, 1]
        column = g.op("Max", g.op("Sub", last, g.number(1.0)), g.number(0.0))
        kv_heads = self.trunk.config.kv_heads
        heads = g.op("Mul", self.batch, g.ints(kv_heads))
        starts = g.op("Mul", g.op("Range", g.ints(0), heads, g.ints(1)), total)
        starts = g.reshape(g.op("Cast", starts, to=TensorProto.FLOAT), [-1, kv_heads, 1])
        flat = g.op("Add", starts, g.unsqueeze(column, [1]))  # [B, 4, S]; exact below 2^24
        self.previous_rows = g.op("Cast", flat, to=TensorProto.INT64)
        config = self.trunk.config
        frequencies = config.rope_base ** (
            -np.arange(0, config.head_dim, 2, dtype=np.float32) / config.head_dim
        )
        positions = g.unsqueeze(g.op("Cast", "position_ids", to=TensorProto.FLOAT), [2, 3])
        angles = g.op("Mul", positions, g.array("rope.frequencies", frequencies.astype(np.float32)))
        self.cos, self.sin = g.op("Cos", angles), g.op("Sin", angles)  # [B, S, 1, hd / 2]
        # num_logits_to_keep = 0 keeps every position.
        keep = "num_logits_to_keep"
        start = g.op("Max", g.op("Sub", length, keep), g.ints(0))
        start = g.op("Where", g.op("Equal", keep, g.ints(0)), g.ints(0), start)
        self.keep_from = g.reshape(start, [1])

    def keep(self, x: str) -> str:
        """The last `num_logits_to_keep` positions of x [B, S, ...]."""
        end = self.g.array("int/end", np.array([np.iinfo(np.int64).max], dtype=np.int64))
        return self.g.op("Slice", x, self.keep_from, end, self.g.ints([1]))

    # -- parts -----------------------------------------------------------------------------

    def cached(self, keys: str, values: str) -> tuple[str, str, int]:
        """Append new keys and values [B, 4, S, 32] to the next cache pair."""
        index = self.cache_entries
        self.cache_entries += 1
        joined = [
            self.g.op("Concat", f"past_key_values.{index}.{part}", new, name=f"present.{index}.{part}", axis=2)
            for part, new in (("key", keys), ("value", values))
        ]
        return joined[0], joined[1], index

    def block(self, x: str, block: Block, scope: str) -> str:
        g, hd = self.g, block.head_dim
        g.scope = scope
        groups = block.heads // block.kv_heads
        normed = g.op("Mul", g.rms(x), g.weight(f"{scope}.norm_attention", block.norm_attention.weight))
        qkv = g.linear(normed, f"{scope}.qkv", block.qkv.weight)
        parts = g.reshape(qkv, [0, 0, block.heads + 2 * block.kv_heads, hd])
        rotated, values = g.split(parts, [block.heads + block.kv_heads, block.kv_heads], axis=2)
        rotated = g.rotate(rotated, hd // 2, self.cos, self.sin)
        queries, keys = g.split(rotated, [block.heads, block.kv_heads], axis=2)
        queries = g.op("Mul", queries, g.number(hd**-0.5))
        if groups > 1:
            queries = g.reshape(queries, [0, 0, block.kv_heads, groups, hd])
            queries = g.reshape(g.transpose(queries, [0, 2, 3, 1, 4]), [0, block.kv_heads, -1, hd])
        else:
            queries = g.transpose(queries, [0, 2, 1, 3])
        keys, values, _ = self.cached(g.transpose(keys, [0, 2, 1, 3]), g.transpose(values, [0, 2, 1, 3]))
        scores = g.op("MatMul", queries, g.transpose(keys, [0, 1, 3, 2]))
        scores = g.op("Add", scores, self.grouped_bias if groups > 1 else self.bias)
        attended = g.op("MatMul", g.op("Softmax", scores, axis=-1), values)
        if groups > 1:
            attended = g.reshape(attended, [0, block.kv_heads, groups, -1, hd])
            attended = g.transpose(attended, [0, 3, 1, 2, 4])
        else:
            attended = g.transpose(attended, [0, 2, 1, 3])
        attended = g.reshape(attended, [0, 0, block.heads * hd])
        x = g.op("Add", x, g.linear(attended, f"{scope}.out", block.out.weight))
        normed = g.op("Mul", g.rms(x), g.weight(f"{scope}.norm_mlp", block.norm_mlp.weight))
        gate, up = g.split(g.linear(normed, f"{scope}.gate_up", block.gate_up.weight), [block.mlp] * 2, axis=2)
        gated = g.op("Mul", g.op("Mul", gate, g.op("Sigmoid", gate)), up)
        return g.op("Add", x, g.linear(gated, f"{scope}.down", block.down.weight))

    def unembed(self, x: str, name: str) -> str:
        if self.one_table:
            return self.g.op("MatMul", x, self.g.transpose("embedding.weight", [1, 0]))
        return self.g.linear(x, name, self.trunk.embedding.weight)

    def previous_hidden(self, normed: str) -> str:
        """Cache the final readout's hidden state and fetch each token's predecessor [B, S, D]."""
        g, config = self.g, self.trunk.config
        g.scope = "previous"
        kv, hd, pairs = config.kv_heads, config.head_dim, hidden_pairs(config)
        missing = 2 * pairs * kv * hd - config.width
        if missing > 0:
            normed = g.op("Pad", normed, g.ints([0, 0, 0, 0, 0, missing]))
        parts = g.transpose(g.reshape(normed, [0, 0, 2 * pairs * kv, hd]), [0, 2, 1, 3])
        halves = g.split(parts, [kv] * (2 * pairs), axis=1)
        stored = [part for pair in range(pairs) for part in self.cached(*halves[2 * pair : 2 * pair + 2])[:2]]
        found = [g.op("Gather", g.reshape(cache, [-1, hd]), self.previous_rows, axis=0) for cache in stored]
        joined = g.op("Concat", *found, axis=1)  # [B, 8, S, 32]
        joined = g.reshape(g.transpose(joined, [0, 2, 1, 3]), [0, 0, config.width + missing])
        return g.split(joined, [config.width, missing], axis=2)[0] if missing > 0 else joined

    def surprise(self, logits: str) -> str:
        """The six features of model.surprise, [B, S, 6]."""
        g = self.g
        g.scope = "surprise"
        best = g.op("ReduceMax", logits, axes=[-1], keepdims=1)
        shifted = g.op("Sub", logits, best)
        exponentials = g.op("Exp", shifted)
        mass = g.op("ReduceSum", exponentials, g.ints([-1]), keepdims=1)
        log_mass = g.op("Log", mass)
        mean = g.op("Div", g.op("ReduceSum", g.op("Mul", exponentials, shifted), g.ints([-1]), keepdims=1), mass)
        entropy = g.op("Sub", log_mass, mean)
        chosen = g.op("GatherElements", shifted, g.unsqueeze("input_ids", [2]), axis=2)
        log_probability = g.op("Sub", chosen, log_mass)
        gap = g.op("Neg", chosen)
        quarter, clip = g.number(0.25), SURPRISE_CLIP
        features = g.op(
            "Concat",
            g.op("Mul", g.op("Max", log_probability, g.number(-clip)), quarter),
            g.op("Mul", g.op("Min", gap, g.number(clip)), quarter),
            entropy,
            g.op("Exp", log_probability),
            g.op("Exp", chosen),
            self.has_previous,
            axis=2,
        )
        return g.op("Mul", features, self.has_previous)

    def verifier(self, features: str, verifier: Verifier, scope: str) -> str:
        """Calibrated probability [B, K, 1]."""
        g = self.g
        g.scope = scope
        x = g.linear(features, f"{scope}.project", verifier.project.weight)
        for index, block in enumerate(verifier.blocks):
            x = self.block(x, block, f"{scope}.blocks.{index}")
        g.scope = scope
        normed = g.op("Mul", g.rms(self.keep(x)), g.weight(f"{scope}.norm", verifier.norm.weight))
        # Calibration is folded into the head.
        logit = g.linear(normed, f"{scope}.head", verifier.head.weight * verifier.scale)
        shift = verifier.head.bias * verifier.scale + verifier.shift
        return g.op("Sigmoid", g.op("Add", logit, g.weight(f"{scope}.head.bias", shift)))

    # -- the whole -------------------------------------------------------------------------

    def build(self) -> onnx.ModelProto:
        g, trunk = self.g, self.trunk
        self.prepare()
        g.scope = "embedding"
        x = embedded = g.op("Gather", g.weight("embedding.weight", trunk.embedding.weight), "input_ids", axis=0)
        after = [x]
        for depth, layer in enumerate(trunk.layers):
            x = self.block(x, layer, f"layers.{depth}")
            after.append(x)
        g.scope = "final"
        final_plain = g.rms(x)
        final = g.op("Mul", final_plain, g.weight("final.norm", trunk.norm.weight))
        predicted = self.unembed(self.previous_hidden(final), "unembedding")
        seen = self.surprise(predicted)
        g.scope = "verifiers"
        features = g.op("Concat", final_plain, g.rms(after[trunk.config.middle]), g.rms(embedded), seen, axis=2)
        rewards = [self.verifier(features, self.prm, "prm"), self.verifier(features, self.orm, "orm")]
        g.op("Concat", *rewards, name="rewards", axis=2)
        if self.sampler is None:
            written = self.keep(final)
            g.scope = "sampler"
        else:
            written = self.block(after[self.sampler.depth], self.sampler.block, "sampler")
            g.scope = "sampler"
            written = g.op("Mul", g.rms(self.keep(written)), g.weight("sampler.norm", self.sampler.norm.weight))
        g.op("Identity", self.unembed(written, "unembedding"), name="logits")
        return self.model()

    def model(self) -> onnx.ModelProto:
        config = self.trunk.config
        cache_in = ["batch", config.kv_heads, "past", config.head_dim]
        cache_out = ["batch", config.kv_heads, "total", config.head_dim]
        value = helper.make_tensor_value_info
        inputs = [
            value("input_ids", TensorProto.INT64, ["batch", "length"]),
            value("attention_mask", TensorProto.INT64, ["batch", "total"]),
            value("position_ids", TensorProto.INT64, ["batch", "length"]),
            value("num_logits_to_keep", TensorProto.INT64, []),
        ]
        outputs = [
            value("logits", TensorProto.FLOAT, ["batch", "kept", config.vocab]),
            value("rewards", TensorProto.FLOAT, ["batch", "kept", 2]),
        ]
        for index in range(self.cache_entries):
            for part in ("key", "value"):
                inputs.append(value(f"past_key_values.{index}.{part}", TensorProto.FLOAT, cache_in))
                outputs.append(value(f"present.{index}.{part}", TensorProto.FLOAT, cache_out))
        graph = helper.make_graph(
            self.g.nodes, "steplight-pocket", inputs, outputs, list(self.g.initializers.values())
        )
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="steplight"
        )
        model.ir_version = 9
        onnx.checker.check_model(model)
        return model
