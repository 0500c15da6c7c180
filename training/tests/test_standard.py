"""The standard models' text, labels, vocabulary and files, at small size."""

from __future__ import annotations

import random
import tempfile
import unittest
from fractions import Fraction
from pathlib import Path

try:
    import onnxruntime
    import torch

    from training.canary import run_whole
    from training.model import exit_of, reference_outputs, verifier_features
    from training.quality import STANDARD_PICKS, standard_quality, standard_table
    from training.quantise import weight_only_int8
    from training.onnx_graph import ModelGraph
    from training.feature_cache import FeatureCache
    from training.standard.export import save_in_pieces
    from training.standard.arithmetic import holds
    from training.standard.label import answer_of, first_mistake, right_values_of, value_reached
    from training.standard.pretrained import Pretrained, half_split, pruned_ids, pruned_tokenizer
    from training.standard.reworked import HumanProblem, equation_steps, read_people, rework, svamp_lines
    from training.standard.samples import Asked, asked_problems, label_human, roll_out, sample_labelled
    from training.standard.text import Shares, TrainingText, drill
    from training.standard.train import fine_tune
    from training.tests.test_model import make_without_sampler
    from training.tokenizer import BOS
    from training.train_verifier import tensors
except ImportError as error:  # pragma: no cover
    raise unittest.SkipTest(f"needs the packages of training/requirements.txt: {error}") from error


class ReworkedTest(unittest.TestCase):
    text = "A baker made 46 rolls and sold 18 of them. Each roll costs $4. How much money did he get?"
    raw = "He sold 18 rolls for 18*4=$<<18*4=72>>72."
    problem = HumanProblem("x", text, "72", [], [("18*4", Fraction(72))], raw)

    def test_other_numbers_give_the_answer_that_the_text_has(self) -> None:
        seen = set()
        for seed in range(50):
            changed = rework(self.problem, random.Random(seed))
            if changed is None:
                continue
            text, lines, answer = changed
            # 46 is used by no calculation and stays.
            numbers = [int(part.strip("$.")) for part in text.split() if part.strip("$.").isdigit()]
            self.assertEqual(numbers[0], 46)
            self.assertEqual(str(numbers[1] * numbers[2]), answer)
            self.assertEqual(lines, [f"He sold {numbers[1]} rolls for {numbers[1]}*{numbers[2]}=${answer}.", f"Answer: {answer}"])
            seen.add(text)
        self.assertGreater(len(seen), 20)

    def test_numbers_that_cannot_be_told_apart_are_left(self) -> None:
        marks = [("8*9", Fraction(72)), ("72+72", Fraction(144))]
        twice = HumanProblem("x", "8 boxes of 9 pens, and 72 pencils. How many?", "144", [], marks, "<<8*9=72>><<72+72=144>>")
        self.assertIsNone(rework(twice, random.Random(0)))

    def test_steps_of_an_equation(self) -> None:
        steps = equation_steps("( ( 7.0 + 3.0 ) * 2.0 )", {Fraction(3): Fraction(5)})
        self.assertEqual([(text, value) for _, text, value in steps], [("7+5", 12), ("12*2", 24)])
        lines = svamp_lines("There were things. How many red pens did she buy?", steps)
        self.assertEqual(lines, ["Sum: 7+5=12", "Red pens: 12*2=24", "Answer: 24"])

    def test_what_people_wrote_stays_right_with_other_numbers(self) -> None:
        people = read_people()
        if not people:
            self.skipTest("the training files are not here")
        rng = random.Random(0)
        changed = [result for problem in rng.sample(people, 400) if (result := rework(problem, rng))]
        self.assertGreater(len(changed), 150)
        for text, lines, answer in changed:
            self.assertTrue(all(map(holds, lines)), lines)
            self.assertEqual(answer_of(lines), Fraction(answer), lines)

    def test_drills_are_true(self) -> None:
        rng = random.Random(1)
        for left, right in (pair for _ in range(50) for pair in drill(rng)):
            self.assertTrue(holds(f"{left}{right}"), left + right)


class LabelTest(unittest.TestCase):
    gold = ["She has 4*12=48 pens.", "Left: 48-9=39", "Answer: 39"]

    def mistake(self, *lines: str, others: list[list[str]] = []) -> int | None:
        return first_mistake(list(lines), Fraction(39), right_values_of(self.gold, others, Fraction(39)))

    def test_arithmetic_that_does_not_hold_is_the_mistake(self) -> None:
        self.assertEqual(self.mistake("Pens: 4*12=46", "Left: 46-9=37", "Answer: 37"), 0)
        self.assertEqual(self.mistake("Pens: 4*12=48", "Left: 48-9=38", "Answer: 39"), 1)
        self.assertFalse(holds("He pays $45 - $43=$3."))
        self.assertTrue(holds("6 x 87=522 pages, 1,200/4=300, 10/3=3.33 and 5 boxes*3 pens=15 pens"))

    def test_a_right_answer_without_false_equations_is_right_throughout(self) -> None:
        self.assertIsNone(self.mistake("First: 12-3=9", "Other: 30+9=39", "Answer: 39"))

    def test_a_value_that_no_right_solution_reaches_is_the_mistake(self) -> None:
        self.assertEqual(self.mistake("Pens: 4+12=16", "Left: 16-9=7", "Answer: 7"), 0)
        self.assertEqual(self.mistake("Pens: 4*12=48", "Left: 48+9=57", "Answer: 57"), 1)
        self.assertEqual(self.mistake("Pens: 4*12=48", "Left: 48-9=39", "Answer: 48"), 2)
        # Another right solution passes through 16.
        others = [["Odd: 4+12=16", "Then: 16+23=39", "Answer: 39"]]
        self.assertEqual(self.mistake("Pens: 4+12=16", "Left: 16-9=7", "Answer: 7", others=others), 1)

    def test_rollouts_that_reach_the_answer_clear_a_step(self) -> None:
        lines = ["Pens: 4+12=16", "Left: 16-9=7", "Answer: 7"]
        reaches = lambda prefix: len(prefix) == 1  # noqa: E731
        self.assertEqual(first_mistake(lines, Fraction(39), {Fraction(39)}, reaches), 1)

    def test_values_and_answers_are_read(self) -> None:
        self.assertEqual(value_reached("So 3*4=$1,200.50 each"), Fraction("1200.5"))
        self.assertEqual(value_reached("He has 5 then 7 left"), 7)
        self.assertIsNone(value_reached("No number"))
        self.assertEqual(answer_of(["x", "Answer: 1,234"]), 1234)
        self.assertIsNone(answer_of(["Answer: many"]))


class VocabularyTest(unittest.TestCase):
    def test_pruning_keeps_bytes_and_what_is_merged_from_kept_parts(self) -> None:
        from tokenizers import pre_tokenizers

        specials = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
        merges = [("a", "b"), ("ab", "c"), ("x", "y"), ("xy", "z"), ("Ġ", "abc")]
        tokens = [*specials, *sorted(pre_tokenizers.ByteLevel.alphabet()), *(a + b for a, b in merges)]
        source = Pretrained({}, tokens, merges)
        kept = pruned_ids(source, ["abc abc"], 3 + 256 + 3)
        self.assertEqual([source.tokens[index] for index in kept[-3:]], ["ab", "abc", "Ġabc"])
        tokenizer = pruned_tokenizer(source, kept)
        self.assertEqual(tokenizer.encode("abc abc xyz\n").tokens, ["abc", "Ġabc", "Ġ", "x", "y", "z", "Ċ"])
        for text in ["12 ½ 🥚\n", "abc<pad>"]:
            self.assertEqual(tokenizer.decode(tokenizer.encode(text).ids, skip_special_tokens=False), text)

    def test_rows_are_put_where_this_repositorys_rotation_wants_them(self) -> None:
        # Head 0 has rows 0..3: llama.cpp rotates (0, 1) and (2, 3), ours (0, 2) and (1, 3).
        weight = torch.arange(8.0).unsqueeze(1)
        self.assertEqual(half_split(weight, 2).squeeze(1).tolist(), [0, 2, 1, 3, 4, 6, 5, 7])


WRONG = ["A: 3+4=7", "B: 7+2=9", "Answer: 9"]


class TrainingTest(unittest.TestCase):
    problems = [
        HumanProblem(str(place), f"Tom has {place + 3} pens and buys {place + 20}. How many?", str(2 * place + 23), lines, marks, "")
        for place in range(8)
        for marks in [[(f"( {place + 3}.0 + {place + 20}.0 )", Fraction(2 * place + 23))]]
        for lines in [[f"Pens: {place + 3}+{place + 20}={2 * place + 23}", f"Answer: {2 * place + 23}"]]
    ]

    def test_training_goes_on_from_its_checkpoint(self) -> None:
        model = make_without_sampler()
        text = TrainingText(model.tokenizer, self.problems, frozenset())
        before = model.trunk.layers[0].qkv.weight.detach().clone()
        with tempfile.TemporaryDirectory() as folder:
            options = {"batch_tokens": 512, "compiled": False}
            first = fine_tune(model.trunk, text, Path(folder), 60, max_steps=2, **options)
            self.assertFalse(torch.equal(before, model.trunk.layers[0].qkv.weight))
            resumed = make_without_sampler()
            second = fine_tune(resumed.trunk, text, Path(folder), 60, max_steps=2, **options)
            self.assertEqual((first["steps"], second["steps"], second["tokens"]), (2, 2, first["tokens"]))
            for a, b in zip(model.trunk.parameters(), resumed.trunk.parameters()):
                self.assertTrue(torch.equal(a, b))

    def test_weights_are_on_what_can_be_known(self) -> None:
        model = make_without_sampler()
        text = TrainingText(model.tokenizer, self.problems, frozenset(), Shares(0, 0, 0.5, 0, 0, 0.5))
        kinds = set()
        for seed in range(20):
            row = text.row(random.Random(seed))
            weighed = model.tokenizer.decode([token for token, weight in zip(row.tokens, row.weights) if weight == 1])
            kind = "Pens" in weighed
            kinds.add(kind)
            self.assertRegex(weighed, r"^Pens: (\d+)\+\d+=\d+\nAnswer: \d+\n" if kind else r"^([\d.]+\n){10}$")
        self.assertEqual(kinds, {True, False})

    def test_samples_are_labelled_and_features_kept(self) -> None:
        model = make_without_sampler()
        asked = asked_problems(self.problems, self.problems, (6, 0, 2), random.Random(0))
        self.assertEqual([each.answer is None for each in asked], [False] * 6 + [True] * 2)
        solution = [[*asked[0].gold], [*asked[0].gold[:-1], "Answer: 1"]]
        rows = label_human(model.tokenizer, asked[0], solution)
        self.assertEqual([(row.steps, row.outcome) for row in rows], [([1, 1], 1), ([1, 0], 0)])
        cleared = label_human(model.tokenizer, Asked(-1, "Q", ["A: 1+1=2", "Answer: 2"], Fraction(2)), [WRONG], {(WRONG[0],)})
        self.assertEqual(cleared[0].steps, [1, 0])
        readout = exit_of(model.trunk, model.trunk.config.layers)
        # An untrained model's lines are noise; that every stage runs and labels what it gets is what is seen here.
        self.assertIsInstance(sample_labelled(readout, model.tokenizer, asked[:2], 2, 1.0, 0), list)
        self.assertEqual(roll_out(readout, model.tokenizer, asked[:1], [[WRONG]], 1.0, 0, 2), [set()])
        cache = FeatureCache(model.trunk)
        ids = tensors(rows)[0]
        with torch.no_grad():
            expected = verifier_features(model.trunk, ids)
            for _ in range(2):
                got = cache(rows, ids)
                for place, row in enumerate(rows):
                    size = len(row.tokens)
                    torch.testing.assert_close(got[place, :size].float(), expected[place, :size], atol=0.02, rtol=0.02)


class QualityTest(unittest.TestCase):
    def test_the_manifest_and_the_table_say_what_the_evaluation_wrote(self) -> None:
        picks = {pick: {"1": {"mean": 0.1}, "16": {"mean": 0.25 + place / 10}} for place, pick in enumerate(STANDARD_PICKS)}
        ahead = {"prm": {"16": {"mean": 0.031, "low": -0.01, "high": 0.08}}}
        summary = {"problems": 60, "greedy": 0.5, "meanSample": 0.4, "picks": picks, "aheadOfMajority": ahead}
        command = "npm run evaluate -- --problems svamp-dev.jsonl --models standard --n 16 --limit 60 --keep"
        evaluations = {"svamp": {"command": command, "dtype": "q8", "n": 16, "summary": summary}}
        stored = standard_quality(evaluations)["sets"]["svamp"]
        self.assertEqual((stored["problems"], stored["n"], stored["prm"], stored["pass"]), (60, 16, 0.25, 0.65))
        expected = "| svamp (60) | 50.0 | 40.0 | 25.0 | 35.0 | 45.0 | 55.0 | 65.0 | +3.1 [-1.0, 8.0] |"
        self.assertEqual(standard_table(evaluations), expected)


class PiecesTest(unittest.TestCase):
    def test_a_file_in_pieces_computes_the_same(self) -> None:
        model = make_without_sampler()
        with tempfile.TemporaryDirectory() as folder, torch.no_grad():
            graph = ModelGraph(model.trunk, None, model.prm, model.orm, one_table=True).build()
            path = Path(folder) / "model_quantized.onnx"
            save_in_pieces(weight_only_int8(graph, 256), path, 30_000)
            self.assertTrue(path.with_name("model_quantized.onnx_data_1").exists())
            self.assertLess(max(file.stat().st_size for file in Path(folder).glob("*_data*")), 30_001)
            sequence = [BOS, *model.tokenizer.encode("A farmer has 12 hens.\n").ids]
            rewards = run_whole(onnxruntime.InferenceSession(str(path)), [sequence])["rewards"][0]
            expected = reference_outputs(model.trunk, None, model.prm, model.orm, torch.tensor([sequence]))[1][0]
        self.assertLess(float((torch.from_numpy(rewards) - expected).abs().max()), 0.05)


if __name__ == "__main__":
    unittest.main()
