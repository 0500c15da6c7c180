"""The exported graph and the cached sampler compute what model.py says."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

try:
    import numpy as np
    import onnxruntime
    import torch

    from training.canary import run_whole
    from training.export import FusedModel, export_files, load_sampler, load_trunk, load_verifier
    from training.files import RunFiles
    from training.grammar.generate import make_problem
    from training.model import Sampler, TrunkConfig, Trunk, Verifier, VerifierConfig, exit_of, reference_outputs
    from training.sample import CachedReadout, sample_tokens
    from training.tokenizer import BOS, EOS, encode_texts, load_tokenizer, newline_id, train_tokenizer
    from training.unpack import unpack
except ImportError as error:  # pragma: no cover
    raise unittest.SkipTest(f"needs the packages of training/requirements.txt: {error}") from error

import random

TRUNK = TrunkConfig(width=64, layers=3, heads=4, kv_heads=4, head_dim=8, mlp=128, exits=(1, 2))
VERIFIER = VerifierConfig(width=32, blocks=1, heads=4, head_dim=8, mlp=64)
SHARED = 2
TEXTS = ["A farmer has 12 hens.\n", "Eggs: 12*3=36\nAnswer: 36\n", "½ of 🥚 and שלום\n"]


def make_model() -> FusedModel:
    rng = random.Random(0)
    tokenizer = train_tokenizer([make_problem(rng).text + "\n" for _ in range(300)], 400)
    torch.manual_seed(0)
    trunk = Trunk(TrunkConfig(**{**TRUNK.to_json(), "exits": TRUNK.exits, "vocab": tokenizer.get_vocab_size()}))
    verifiers = [Verifier(VERIFIER, trunk.config) for _ in range(2)]
    return FusedModel(trunk, Sampler(trunk.config, SHARED), *verifiers, tokenizer).eval()


def make_without_sampler() -> FusedModel:
    """As the standard models are: lanes sample from the trunk, and its width is one and a half cache pairs."""
    model = make_model()
    torch.manual_seed(1)
    sizes = {"width": 48, "heads": 6, "kv_heads": 2, "exits": (), "vocab": model.tokenizer.get_vocab_size()}
    trunk = Trunk(TrunkConfig(**{**TRUNK.to_json(), **sizes}))
    verifiers = [Verifier(VerifierConfig(width=32, blocks=1, heads=2, head_dim=8, mlp=64), trunk.config) for _ in range(2)]
    return FusedModel(trunk, None, *verifiers, model.tokenizer).eval()


class TokenizerTest(unittest.TestCase):
    def test_any_text_survives_and_newline_and_digits_stand_alone(self) -> None:
        tokenizer = make_model().tokenizer
        for text in [*TEXTS, "\x00\x7f\u200b", "12345678901234567890\n\n"]:
            ids = tokenizer.encode(text, add_special_tokens=False).ids
            self.assertEqual(tokenizer.decode(ids), text)
            for token in map(tokenizer.id_to_token, ids):
                self.assertFalse(len(token) > 1 and any(char.isdigit() for char in token), token)
        newline = newline_id(tokenizer)
        pieces = encode_texts(tokenizer, TEXTS)
        self.assertEqual(sum(pieces, []), encode_texts(tokenizer, ["".join(TEXTS)])[0])
        self.assertEqual([ids.count(newline) for ids in pieces], [1, 2, 1])


class UnpackTest(unittest.TestCase):
    @torch.no_grad()
    def test_an_exported_folder_gives_its_weights_back(self) -> None:
        model = make_model()
        model.prm.scale.fill_(1.5)
        model.prm.shift.fill_(-0.25)
        with tempfile.TemporaryDirectory() as folder:
            exported, work = Path(folder) / "m", RunFiles(Path(folder) / "work")
            export_files(model, exported)
            unpack(exported, work)
            trunk = load_trunk(work.generator)
            parts = (load_sampler(work.sampler, trunk.config), *(load_verifier(work.verifier(kind), trunk.config) for kind in ("prm", "orm")))
            again = FusedModel(trunk, *parts, load_tokenizer(work.tokenizer)).eval()
        ids = torch.tensor([[BOS, *encode_texts(model.tokenizer, [TEXTS[1]])[0]]])
        self.assertEqual(encode_texts(again.tokenizer, TEXTS), encode_texts(model.tokenizer, TEXTS))
        wanted = reference_outputs(model.trunk, model.sampler, model.prm, model.orm, ids)
        got = reference_outputs(again.trunk, again.sampler, again.prm, again.orm, ids)
        for ours, theirs in zip(got, wanted):
            # Only what rounding to eight bits and back loses.
            self.assertLess((ours - theirs).abs().max().item(), 0.05 * theirs.abs().max().item())


class ModelTest(unittest.TestCase):
    one_table = False
    make = staticmethod(make_model)

    @classmethod
    def setUpClass(cls) -> None:
        cls.model = cls.make()
        cls.folder = tempfile.TemporaryDirectory()
        export_files(cls.model, Path(cls.folder.name) / "m")
        # float32 all the way: what is compared here is the graph, not the rounding of weights.
        from training.onnx_graph import ModelGraph

        with torch.no_grad():
            graph = ModelGraph(cls.model.trunk, cls.model.sampler, cls.model.prm, cls.model.orm, cls.one_table).build()
        cls.session = onnxruntime.InferenceSession(graph.SerializeToString())
        cls.sequences = [[BOS, *ids] for ids in encode_texts(cls.model.tokenizer, ["".join(TEXTS[:2]), *TEXTS])]

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def expected(self, sequence: list[int]) -> tuple[np.ndarray, np.ndarray]:
        model = self.model
        logits, rewards = reference_outputs(model.trunk, model.sampler, model.prm, model.orm, torch.tensor([sequence]))
        return logits[0].detach().numpy(), rewards[0].detach().numpy()

    def test_a_padded_batch_equals_single_sequences_in_torch(self) -> None:
        outputs = run_whole(self.session, self.sequences)
        for row, sequence in enumerate(self.sequences):
            logits, rewards = self.expected(sequence)
            np.testing.assert_allclose(outputs["logits"][row, : len(sequence)], logits, atol=2e-4)
            np.testing.assert_allclose(outputs["rewards"][row, : len(sequence)], rewards, atol=2e-5)

    def test_decoding_with_a_cache_equals_the_whole_pass(self) -> None:
        sequence = self.sequences[0]
        logits, rewards = self.expected(sequence)
        prompt = len(sequence) // 2
        cache = {
            each.name: np.zeros((1, each.shape[1], 0, each.shape[3]), np.float32)
            for each in self.session.get_inputs()
            if each.name.startswith("past")
        }
        names = [output.name for output in self.session.get_outputs()]
        for start, end in [(0, prompt), *((place, place + 1) for place in range(prompt, len(sequence)))]:
            feeds = {
                "input_ids": np.array([sequence[start:end]]),
                "attention_mask": np.ones((1, end), np.int64),
                "position_ids": np.arange(start, end)[None],
                "num_logits_to_keep": np.array(1, np.int64),
            }
            outputs = dict(zip(names, self.session.run(None, feeds | cache)))
            cache = {name.replace("present", "past_key_values"): outputs[name] for name in names if name.startswith("present")}
            np.testing.assert_allclose(outputs["logits"][0, 0], logits[end - 1], atol=2e-4)
            np.testing.assert_allclose(outputs["rewards"][0, 0], rewards[end - 1], atol=2e-5)

    def test_the_cached_sampler_sees_what_the_whole_pass_sees(self) -> None:
        trunk, sampler = self.model.trunk, self.model.sampler
        readout = exit_of(trunk, trunk.config.layers) if sampler is None else sampler.readout(trunk)
        longest = max(map(len, self.sequences))
        ids = torch.tensor([[0] * (longest - len(row)) + row for row in self.sequences])
        live = torch.tensor([[0.0] * (longest - len(row)) + [1.0] * len(row) for row in self.sequences])
        cached = CachedReadout(readout)
        with torch.no_grad():
            first = cached.prefill(ids, live)
            cached.keep(torch.tensor([0, 2]))
            second = cached.step(torch.tensor([EOS, EOS]))
        for place, row in ((0, 0), (1, 2)):
            logits, _ = self.expected([*self.sequences[row], EOS])
            np.testing.assert_allclose(first[row].numpy(), logits[-2], atol=2e-4)
            np.testing.assert_allclose(second[place].numpy(), logits[-1], atol=2e-4)

    def test_lanes_of_a_prompt_are_as_prompts_of_their_own(self) -> None:
        trunk, sampler = self.model.trunk, self.model.sampler
        readout = exit_of(trunk, trunk.config.layers) if sampler is None else sampler.readout(trunk)
        rng = lambda: torch.Generator().manual_seed(4)  # noqa: E731
        apart = sample_tokens(readout, [row for row in self.sequences[:2] for _ in range(3)], 1.0, rng(), 8)
        self.assertEqual(sample_tokens(readout, self.sequences[:2], 1.0, rng(), 8, lanes=3), apart)

    def test_quantised_files_stay_near(self) -> None:
        session = onnxruntime.InferenceSession(str(Path(self.folder.name) / "m" / "onnx" / "model_quantized.onnx"))
        rewards = run_whole(session, self.sequences)["rewards"]
        for row, sequence in enumerate(self.sequences):
            np.testing.assert_allclose(rewards[row, : len(sequence)], self.expected(sequence)[1], atol=0.05)


class WithoutSamplerTest(ModelTest):
    one_table = True
    make = staticmethod(make_without_sampler)


if __name__ == "__main__":
    unittest.main()
