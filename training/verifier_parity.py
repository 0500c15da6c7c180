"""What the files of a converted verifier compute, beside the model in PyTorch.

Each file reads a few right and wrong solutions twice: each text in one pass, and token by token through the cache, as
the page does. What is reported are probabilities, the numbers that people see.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import torch

from .packed_weights import PRECISIONS
from .verifier_adapters import Options, Reference, read_head
from .verifier_layout import LayoutTokenizer, Reading, readings

# A problem, its solution, and one with a mistake.
SAMPLES = (
    (
        "Sara has 4 boxes with 12 pencils each. She gives away 9 pencils. How many pencils are left?",
        ["There are 4 * 12 = 48 pencils in the boxes.", "After giving away 9, 48 - 9 = 39 are left.", "The answer is 39."],
        ["There are 4 * 12 = 46 pencils in the boxes.", "After giving away 9, 46 - 9 = 37 are left.", "The answer is 37."],
    ),
    (
        "A train runs at 60 km per hour for 3 hours and then at 80 km per hour for 2 hours. How far does it go?",
        ["In the first part it goes 60 * 3 = 180 km.", "In the second part it goes 80 * 2 = 160 km.", "In all it goes 180 + 160 = 340 km."],
        ["In the first part it goes 60 * 3 = 180 km.", "In the second part it goes 80 * 2 = 160 km.", "In all it goes 180 - 160 = 20 km."],
    ),
    (
        "Solve 3x + 7 = 22 for x.",
        ["Subtract 7 from both sides: 3x = 15.", "Divide both sides by 3: x = 5."],
        ["Add 7 to both sides: 3x = 29.", "Divide both sides by 3: x = 29/3."],
    ),
    (
        "A shirt costs 40 euros. Its price is lowered by 25%. What does it cost now?",
        ["25% of 40 euros is 10 euros.", "40 - 10 = 30, so it costs 30 euros."],
        ["25% of 40 euros is 25 euros.", "40 - 25 = 15, so it costs 15 euros."],
    ),
)


class ScoreSession:
    """An ONNX file as the page runs it: it reads on from any place of a text."""

    def __init__(self, path: Path, output: str, threads: int | None = None) -> None:
        settings = onnxruntime.SessionOptions()
        if threads is not None:
            settings.intra_op_num_threads = threads
        self._session = onnxruntime.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])
        self._names = [output.name for output in self._session.get_outputs()]
        self._output = output
        self.empty = {
            each.name: np.zeros((1, each.shape[1], 0, each.shape[3]), np.float16 if "16" in each.type else np.float32)
            for each in self._session.get_inputs()
            if each.name.startswith("past_key_values.")
        }
        self._keeps = any(each.name == "num_logits_to_keep" for each in self._session.get_inputs())

    def read(self, cache: dict[str, np.ndarray], tokens: list[int]) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """The cache after the tokens, and the outputs at each of them."""
        past = next(iter(cache.values())).shape[2]
        feeds = {
            "input_ids": np.array([tokens], np.int64),
            "attention_mask": np.ones((1, past + len(tokens)), np.int64),
            "position_ids": np.arange(past, past + len(tokens), dtype=np.int64)[None],
        }
        if self._keeps:
            feeds["num_logits_to_keep"] = np.array(0, np.int64)
        outputs = dict(zip(self._names, self._session.run(None, feeds | cache)))
        present = {name.replace("past_key_values", "present"): name for name in cache}
        return {past_name: outputs[name] for name, past_name in present.items()}, outputs[self._output][0]

    def whole(self, reading: Reading) -> np.ndarray:
        return self.read(self.empty, reading.tokens)[1][-1]

    def by_token(self, texts: list[Reading]) -> list[np.ndarray]:
        """Outputs after each of some readings, of which one goes on where the one before ended."""
        cache, read, rows = self.empty, [], []
        for reading in texts:
            # Unless its tokens changed: then it is read anew, as the page does.
            if reading.stem[: len(read)] != read:
                cache, read = self.empty, []
            row = None
            for token in reading.stem[len(read) :]:
                cache, outputs = self.read(cache, [token])
                row = outputs[-1]
            read = reading.stem
            probed = cache
            for token in reading.probe:
                probed, outputs = self.read(probed, [token])
                row = outputs[-1]
            rows.append(row)
        return rows


def compare(
    source: Path, adapter: str, folder: Path, dtypes: list[str], options: Options, page: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The report, and the page's canary with the scores by PyTorch."""
    tokenizer = LayoutTokenizer.load(folder)
    texts = [readings(page, tokenizer, problem, steps) for problem, *solutions in SAMPLES for steps in solutions]
    reference = Reference(adapter, source, tokenizer, options)
    expected = [[read_head(page["head"], reference.outputs(reading.tokens)) for reading in each] for each in texts]
    # It is as large as all the files together.
    del reference
    files = {}
    for dtype in dtypes:
        session = ScoreSession(folder / "onnx" / PRECISIONS[dtype].file, page["head"]["output"])
        computed = {
            "whole": [[session.whole(reading) for reading in each] for each in texts],
            "cached": [session.by_token(each) for each in texts],
        }
        files[dtype] = {
            way: _difference(expected, [[read_head(page["head"], torch.from_numpy(row)) for row in each] for each in rows])
            for way, rows in computed.items()
        }
    problem, right, wrong = SAMPLES[0]
    rounded = [[round(score, 6) for score in scores] for scores in expected]
    scores = {"right": rounded[0], "wrong": rounded[1]}
    report = {
        "reference": "PyTorch, float32",
        "samples": [
            {"problem": problem, "right": rounded[2 * i], "wrong": rounded[2 * i + 1]}
            for i, (problem, _, _) in enumerate(SAMPLES)
        ],
        "rightBeforeWrong": _rightly_ordered(expected),
        "files": files,
    }
    return report, {"problem": problem, "right": right, "wrong": wrong, "scores": scores}


def _rightly_ordered(scores: list[list[float]]) -> list[bool]:
    """Whether the worst step of each right solution is above the worst one of the wrong solution."""
    return [min(right) > min(wrong) for right, wrong in zip(scores[0::2], scores[1::2])]


def _difference(expected: list[list[float]], computed: list[list[float]]) -> dict[str, Any]:
    differences = [abs(a - b) for one, other in zip(expected, computed) for a, b in zip(one, other, strict=True)]
    return {
        "largest": round(max(differences), 7),
        "mean": round(sum(differences) / len(differences), 7),
        "orderKept": _rightly_ordered(computed) == _rightly_ordered(expected),
    }


def print_report(report: dict[str, Any]) -> None:
    order = report["rightBeforeWrong"]
    print(f"\nPyTorch puts the right solution before the wrong one in {sum(order)} of {len(order)} samples.")
    print("Difference of scores from PyTorch (largest, mean), and whether that order is the same:")
    for dtype, ways in report["files"].items():
        for way, found in ways.items():
            kept = "same order" if found["orderKept"] else "ANOTHER ORDER"
            print(f'  {dtype:6} {way:7} {found["largest"]:.6f}  {found["mean"]:.6f}  {kept}')
