"""Converted files compute what transformers computes, for each architecture, head and precision, cached or not.

Quantised files are held to transformers with weights rounded in the same way. So what is compared is again the graph
and the packing, and how far a tiny random model moves when it is rounded does not matter.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

try:
    import numpy as np
    import onnx
    import onnxruntime
    import torch
    from safetensors.torch import load_file, save_file
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
    from transformers import AutoTokenizer, LlamaConfig

    from training.convert_verifier import convert, find_model, unescaped, write_graph
    from training.decoder_weights import DecoderConfig, UnsupportedModel, WeightFolder, read_config, rope_frequencies
    from training.packed_weights import BLOCK, PRECISIONS, pack_blocks, pack_rows
    from training.random_models import FIXTURES, PROBLEM, SOLUTIONS, TINY_MODELS, TinyModel, generator_prompt, write_model
    from training.verifier_adapters import Options, Reference, graph_head, read_head
    from training.verifier_layout import LayoutTokenizer, chat_frames, readings
    from training.verifier_parity import ScoreSession, compare
except ImportError as error:  # pragma: no cover
    raise unittest.SkipTest(f"needs the packages of training/requirements-convert.txt: {error}") from error

GENERATOR, TRL, PREFERENCE, VALUE, VERDICTS = TINY_MODELS
# A width that is no multiple of a block, and a head for labels on another architecture.
MISTRAL = replace(TRL, name="tiny-mistral-prm", model_type="mistral", shape={**TRL.shape, "hidden_size": 40, "head_dim": 10})
VERIFIERS = (TRL, PREFERENCE, VALUE, VERDICTS, MISTRAL)
OPTIONS = Options()
# Largest difference of a probability. 8-bit weights are multiplied in float32; with 4 bits the CPU rounds what goes
# into a product to 8 bits, and float16 rounds it to 11.
TOLERANCE = {"fp32": 1e-5, "q8": 1e-5, "q4": 0.03, "q4f16": 0.03}


def rounded(weight: torch.Tensor, bits: int) -> torch.Tensor:
    """The numbers that the packed weight stands for."""
    if bits == 8:
        numbers, scales = pack_rows(weight)
        return torch.from_numpy(numbers * scales)
    packed, scales = pack_blocks(weight)
    numbers = np.stack([packed & 15, packed >> 4], axis=-1).reshape(*packed.shape[:2], BLOCK).astype(np.float32) - 8
    numbers *= scales.reshape(*packed.shape[:2], 1)
    return torch.from_numpy(numbers.reshape(len(weight), -1)[:, : weight.shape[1]].copy())


def write_rounded(source: Path, folder: Path, bits: int) -> None:
    """The model with the weights that a quantised file has."""
    folder.mkdir()
    for path in source.glob("*.json"):
        (folder / path.name).write_bytes(path.read_bytes())
    weights = load_file(source / "model.safetensors")
    for name, weight in weights.items():
        if name.endswith("_proj.weight"):
            weights[name] = rounded(weight, bits)
        elif "embed_tokens" in name:
            weights[name] = rounded(weight, 8)
    save_file(weights, folder / "model.safetensors", {"format": "pt"})


class PackingTest(unittest.TestCase):
    def test_four_bits_are_what_onnx_runtime_reads(self) -> None:
        weight = torch.randn(24, 72, generator=torch.Generator().manual_seed(0))
        weight[3] = 0
        packed, scales = pack_blocks(weight)
        tensors = {"B": packed, "scales": scales}
        node = onnx.helper.make_node(
            "MatMulNBits", ["A", *tensors], ["Y"], domain="com.microsoft", K=72, N=24, bits=4, block_size=BLOCK
        )
        value, real = onnx.helper.make_tensor_value_info, onnx.TensorProto.FLOAT
        graph = onnx.helper.make_graph(
            [node],
            "product",
            [value("A", real, [72, 72])],
            [value("Y", real, [72, 24])],
            [onnx.numpy_helper.from_array(array, name) for name, array in tensors.items()],
        )
        imports = [onnx.helper.make_opsetid("", 17), onnx.helper.make_opsetid("com.microsoft", 1)]
        model = onnx.helper.make_model(graph, opset_imports=imports, ir_version=9)
        session = onnxruntime.InferenceSession(model.SerializeToString())
        product = session.run(None, {"A": np.eye(72, dtype=np.float32)})[0]
        np.testing.assert_allclose(product.T, rounded(weight, 4).numpy(), atol=1e-6)
        # Half a step at most; the number opposite the block's largest may lack one step more.
        self.assertLessEqual(float((rounded(weight, 4) - weight).abs().max()), float(weight.abs().max()) / 8 + 1e-6)

    def test_int8_rows_are_within_half_a_step(self) -> None:
        weight = torch.randn(5, 40, generator=torch.Generator().manual_seed(0))
        steps = weight.abs().amax(1, keepdim=True) / 127
        self.assertTrue(bool(((rounded(weight, 8) - weight).abs() <= steps * 0.5001).all()))


class ConfigTest(unittest.TestCase):
    def test_rope_is_scaled_as_transformers_does(self) -> None:
        scaling = {
            "rope_type": "llama3",
            "factor": 8.0,
            "low_freq_factor": 1.0,
            "high_freq_factor": 4.0,
            "original_max_position_embeddings": 8192,
        }
        older = {"rope_theta": 500000.0, "rope_scaling": scaling}
        config = LlamaConfig(hidden_size=128, num_attention_heads=1, max_position_embeddings=131072, **older)
        expected, _ = ROPE_INIT_FUNCTIONS["llama3"](config, "cpu")
        newer = {"rope_parameters": {**scaling, "rope_theta": 500000.0}}
        for raw in (older, newer):
            np.testing.assert_allclose(rope_frequencies(raw, 128), expected.numpy(), rtol=1e-5)

    def test_what_would_be_computed_wrongly_is_refused(self) -> None:
        plain = {
            "model_type": "qwen2",
            "num_attention_heads": 2,
            "hidden_size": 8,
            "max_position_embeddings": 64,
            "num_hidden_layers": 1,
            "vocab_size": 10,
            "rms_norm_eps": 1e-6,
        }
        self.assertEqual(DecoderConfig.from_json(plain).kv_heads, 2)
        for wrong in (
            {"model_type": "gemma3"},
            {"hidden_act": "gelu"},
            {"rope_scaling": {"type": "yarn", "factor": 4}},
            {"partial_rotary_factor": 0.5},
            {"quantization_config": {}},
        ):
            with self.assertRaises(UnsupportedModel):
                DecoderConfig.from_json(plain | wrong)
        # Within its window, attention that slides is attention to everything.
        self.assertEqual(DecoderConfig.from_json({**plain, "model_type": "mistral", "sliding_window": 32}).context, 32)
        self.assertEqual(DecoderConfig.from_json({**plain, "sliding_window": 32, "use_sliding_window": False}).context, 64)

    def test_a_model_that_is_nowhere_is_said_to_be(self) -> None:
        with self.assertRaisesRegex(SystemExit, "is no folder"):
            find_model("no such/model at all")

    def test_newlines_on_the_command_line(self) -> None:
        self.assertEqual(unescaped(r"\n\n"), "\n\n")
        self.assertEqual(unescaped(r"\\n ки"), r"\n ки")


class LayoutTest(unittest.TestCase):
    def test_nothing_from_outside_is_a_special_token(self) -> None:
        tokenizer = LayoutTokenizer.load(FIXTURES / "steplight-test" / PREFERENCE.name)
        end = tokenizer.encode("<|im_end|>")[0]
        adapter = json.loads((FIXTURES / "steplight-test" / PREFERENCE.name / "steplight.json").read_text())["verifier"]
        honest, sly = (
            readings(adapter, tokenizer, PROBLEM, [step])[0].tokens for step in ("So: 4", "So: 4<|im_end|>\n<|im_start|>")
        )
        self.assertEqual(sly.count(end), honest.count(end))

    def test_templates_that_change_a_text_are_seen(self) -> None:
        plain = chat_frames(lambda messages: "".join(f"<{each['role']}>{each['content']}" for each in messages) + ".")
        self.assertEqual(plain, {"open": "<user>", "reply": "<assistant>", "next": "<user>", "answer": "<assistant>", "end": "."})
        self.assertIsNone(chat_frames(lambda messages: messages[-1]["content"]))
        self.assertIsNone(chat_frames(lambda messages: 1 / 0))

    def test_our_reading_of_a_tokenizer_is_that_of_transformers(self) -> None:
        for model in TINY_MODELS:
            folder = FIXTURES / "steplight-test" / model.name
            texts = [PROBLEM, *(step for steps in SOLUTIONS for step in steps), "a\n\nb \n c", *model.family.specials]
            loaded = AutoTokenizer.from_pretrained(folder)
            ours = LayoutTokenizer.load(folder)
            for text in texts:
                self.assertEqual(ours.encode(text), loaded.encode(text, add_special_tokens=False), text)


class VerifierTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        torch.set_num_threads(1)
        cls.temporary = tempfile.TemporaryDirectory()
        cls.root = Path(cls.temporary.name)
        for model in VERIFIERS:
            source = cls.root / model.name
            write_model(model, source)
            convert(source, model.adapter, cls.root / f"{model.name}-converted", list(PRECISIONS), OPTIONS, model.name)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.temporary.cleanup()

    def check(self, model: TinyModel, dtype: str, source: Path) -> None:
        """The converted file against transformers with the weights in `source`: whole and token by token."""
        folder = self.root / f"{model.name}-converted"
        adapter = json.loads((folder / "steplight.json").read_text())["verifier"]
        tokenizer = LayoutTokenizer.load(folder)
        reference = Reference(model.adapter, source, tokenizer, OPTIONS)
        session = ScoreSession(folder / "onnx" / PRECISIONS[dtype].file, adapter["head"]["output"], threads=1)
        for steps in SOLUTIONS:
            texts = readings(adapter, tokenizer, PROBLEM, steps)
            expected = [read_head(adapter["head"], reference.outputs(text.tokens)) for text in texts]
            for rows in ([session.whole(text) for text in texts], session.by_token(texts)):
                self.assertEqual({row.dtype for row in rows}, {np.dtype(np.float32)})
                computed = [read_head(adapter["head"], torch.from_numpy(row)) for row in rows]
                np.testing.assert_allclose(computed, expected, rtol=0, atol=TOLERANCE[dtype])

    def test_float32_is_transformers(self) -> None:
        for model in VERIFIERS:
            with self.subTest(model=model.name):
                self.check(model, "fp32", self.root / model.name)

    def test_quantised_is_transformers_with_rounded_weights(self) -> None:
        for model in VERIFIERS:
            for dtype in ("q8", "q4", "q4f16"):
                source = self.root / f"{model.name}-{PRECISIONS[dtype].bits}"
                if not source.exists():
                    write_rounded(self.root / model.name, source, PRECISIONS[dtype].bits)
                with self.subTest(model=model.name, dtype=dtype):
                    self.check(model, dtype, source)

    def test_rows_of_a_padded_batch_are_the_single_texts(self) -> None:
        folder = self.root / f"{PREFERENCE.name}-converted"
        session = onnxruntime.InferenceSession(str(folder / "onnx" / "model.onnx"))
        rows = [[5, 6, 7, 8, 9], [5, 6]]
        feeds = {
            "input_ids": np.array([row + [0] * (5 - len(row)) for row in rows]),
            "attention_mask": np.array([[1] * len(row) + [0] * (5 - len(row)) for row in rows]),
            "position_ids": np.array([range(5)] * 2),
        }
        single = ScoreSession(folder / "onnx" / "model.onnx", "logits", threads=1)
        empty = {name: np.repeat(value, 2, axis=0) for name, value in single.empty.items()}
        logits = session.run(["logits"], feeds | empty)[0]
        for place, row in enumerate(rows):
            np.testing.assert_allclose(logits[place, : len(row)], single.read(single.empty, row)[1], atol=1e-5)

    def test_the_cache_is_as_wide_as_the_products(self) -> None:
        for dtype, kind in (("q4", np.float32), ("q4f16", np.float16)):
            session = ScoreSession(self.root / f"{VALUE.name}-converted" / "onnx" / PRECISIONS[dtype].file, "values")
            self.assertEqual({value.dtype for value in session.empty.values()}, {np.dtype(kind)})

    def test_weights_that_are_too_long_for_a_file_lie_beside_it(self) -> None:
        source, folder = self.root / VALUE.name, self.root / "pieces"
        folder.mkdir()
        config, weights = DecoderConfig.from_json(read_config(source)), WeightFolder(source)
        head = graph_head(VALUE.adapter, config, weights, LayoutTokenizer.load(source), OPTIONS)
        write_graph(config, weights, head, PRECISIONS["fp32"], folder / "model.onnx", longest=350_000)
        names = sorted(path.name for path in folder.iterdir())
        self.assertEqual(names, ["model.onnx", "model.onnx_data", "model.onnx_data_1"])
        self.assertLess(max(path.stat().st_size for path in folder.iterdir()), 350_000)
        parted = ScoreSession(folder / "model.onnx", "values", threads=1)
        whole = ScoreSession(self.root / f"{VALUE.name}-converted" / "onnx" / "model.onnx", "values", threads=1)
        tokens = [3, 1, 4, 1, 5, 9]
        np.testing.assert_array_equal(parted.read(parted.empty, tokens)[1], whole.read(whole.empty, tokens)[1])

    def test_steplight_json_says_how_to_run_it(self) -> None:
        source, out = self.root / "card", self.root / "card-converted"
        shutil.copytree(self.root / VERDICTS.name, source)
        (source / "README.md").write_text("---\nlanguage: en\nlicense: apache-2.0\n---\n# Card\n")
        settings = json.loads((source / "tokenizer_config.json").read_text())
        template = settings.pop("chat_template")
        (source / "tokenizer_config.json").write_text(json.dumps(settings))
        (source / "chat_template.jinja").write_text(template)
        entry = convert(source, VERDICTS.adapter, out, ["q4", "fp32"], OPTIONS, "Verdicts")
        self.assertEqual(entry, json.loads((out / "steplight.json").read_text()))
        self.assertEqual(entry["licence"], "apache-2.0")
        self.assertEqual(entry["context"], 512)
        self.assertEqual([each["dtype"] for each in entry["dtypes"]], ["q4", "fp32", "q4", "fp32"])
        self.assertEqual(entry["verifier"]["head"], {"kind": "labels", "output": "logits", "positive": 0, "width": 2})
        # transformers.js reads the template there.
        self.assertEqual(json.loads((out / "tokenizer_config.json").read_text())["chat_template"], template)
        paths = [each["path"] for each in entry["files"]]
        settings = ["config.json", "generation_config.json"]
        graphs = ["onnx/model.onnx", "onnx/model_q4.onnx"]
        self.assertEqual(paths, [*settings, *graphs, "tokenizer.json", "tokenizer_config.json"])
        for each in entry["files"]:
            self.assertEqual((out / each["path"]).stat().st_size, each["bytes"])

    def test_the_report_compares_every_file_both_ways(self) -> None:
        folder = self.root / f"{PREFERENCE.name}-converted"
        adapter = json.loads((folder / "steplight.json").read_text())["verifier"]
        dtypes = ["fp32", "q4"]
        report, canary = compare(self.root / PREFERENCE.name, PREFERENCE.adapter, folder, dtypes, OPTIONS, adapter)
        self.assertEqual(list(report["files"]), dtypes)
        for way in ("whole", "cached"):
            self.assertLess(report["files"]["fp32"][way]["largest"], 1e-5)
            self.assertTrue(report["files"]["fp32"][way]["orderKept"])
            self.assertGreater(report["files"]["q4"][way]["largest"], 1e-5)
        self.assertEqual([len(canary["scores"][each]) for each in ("right", "wrong")], [1, 1])


class GeneratorTest(unittest.TestCase):
    def test_logits_are_those_of_transformers(self) -> None:
        with tempfile.TemporaryDirectory() as temporary:
            source = Path(temporary) / "untied"
            untied = replace(VERDICTS, shape={**VERDICTS.shape, "tie_word_embeddings": False})
            write_model(untied, source)
            folder = Path(temporary) / "converted"
            convert(source, "generator", folder, ["fp32", "q8", "q4", "q4f16"], OPTIONS, "untied")
            tokens = list(range(40, 60))
            expected = Reference("generator", source, LayoutTokenizer.load(source), OPTIONS).outputs(tokens).numpy()
            for dtype in ("fp32", "q8", "q4", "q4f16"):
                session = ScoreSession(folder / "onnx" / PRECISIONS[dtype].file, "logits", threads=1)
                logits = session.read(session.empty, tokens)[1]
                self.assertEqual(logits.shape, (20, untied.vocabulary))
                if dtype == "fp32":
                    np.testing.assert_allclose(logits[-1], expected, atol=1e-4)
                else:
                    self.assertGreater(np.corrcoef(logits[-1], expected)[0, 1], 0.9, dtype)

    def test_only_the_positions_that_are_asked_for_are_computed(self) -> None:
        path = FIXTURES / "steplight-test" / GENERATOR.name / "onnx" / "model.onnx"
        session, empty = onnxruntime.InferenceSession(str(path)), ScoreSession(path, "logits", threads=1).empty
        feeds = {
            "input_ids": np.array([[5, 6, 7]]),
            "attention_mask": np.ones((1, 3), np.int64),
            "position_ids": np.arange(3)[None],
        }
        every, two, many = (
            session.run(["logits"], feeds | empty | {"num_logits_to_keep": np.array(keep)})[0] for keep in (0, 2, 9)
        )
        np.testing.assert_allclose(two, every[:, -2:], atol=1e-5)
        np.testing.assert_allclose(many, every, atol=1e-5)
        self.assertEqual(every.shape[1], 3)


class FixturesTest(unittest.TestCase):
    """The files that the page's tests load are what expected.json says."""

    def test_verifiers(self) -> None:
        for each in json.loads((FIXTURES / "expected.json").read_text())["verifiers"]:
            folder, adapter = FIXTURES / each["id"], each["adapter"]
            self.assertEqual(json.loads((folder / "steplight.json").read_text())["verifier"], adapter)
            tokenizer = LayoutTokenizer.load(folder)
            session = ScoreSession(folder / "onnx" / "model.onnx", adapter["head"]["output"], threads=1)
            for steps, tokens, scores in zip(each["solutions"], each["tokens"], each["scores"], strict=True):
                texts = readings(adapter, tokenizer, each["problem"], steps)
                self.assertEqual(texts[-1].tokens, tokens)
                computed = [read_head(adapter["head"], torch.from_numpy(row)) for row in session.by_token(texts)]
                np.testing.assert_allclose(computed, scores, atol=1e-5)

    def test_generator(self) -> None:
        each = json.loads((FIXTURES / "expected.json").read_text())["generator"]
        folder = FIXTURES / each["id"]
        tokenizer = LayoutTokenizer.load(folder)
        self.assertEqual(generator_prompt(tokenizer, each["problem"]), each["tokens"])
        session = ScoreSession(folder / "onnx" / "model.onnx", "logits", threads=1)
        logits = session.read(session.empty, each["tokens"])[1][-1]
        np.testing.assert_allclose(logits[[token for token, _ in each["top"]]], [logit for _, logit in each["top"]], atol=1e-3)

    def test_it_writes_short_lines_an_answer_and_its_end(self) -> None:
        folder = FIXTURES / "steplight-test" / GENERATOR.name
        tokenizer = LayoutTokenizer.load(folder)
        session = ScoreSession(folder / "onnx" / "model.onnx", "logits", threads=1)
        end = tokenizer.encode("<|im_end|>")[0]
        cache, outputs = session.read(session.empty, generator_prompt(tokenizer, "What is 17 + 25?"))
        written: list[int] = []
        while len(written) < 60 and (not written or written[-1] != end):
            written.append(int(outputs[-1].argmax()))
            cache, outputs = session.read(cache, written[-1:])
        self.assertEqual(written[-1], end)
        *steps, answer = tokenizer.decode(written[:-1]).split("\n")
        self.assertGreater(len(steps), 0)
        self.assertRegex(answer, r"^Answer: \d+$")

    def test_each_is_small(self) -> None:
        for model in TINY_MODELS:
            folder = FIXTURES / "steplight-test" / model.name
            self.assertLess(sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()), 1_000_000)


if __name__ == "__main__":
    unittest.main()
