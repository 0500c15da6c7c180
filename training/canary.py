"""A known right and a known wrong solution, with the rewards that the exported file gives them.

The page runs it after loading, on whatever device it got: a device that computes wrongly is found before it shows
anything.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from .corpus import encode_solution

PROBLEM = "Sara has 4 boxes with 12 pencils each. She gives away 9 pencils. How many pencils are left?"
SOLUTION = ["Pencils in boxes: 4*12=48", "Pencils left: 48-9=39", "Answer: 39"]
WRONG = ["Pencils in boxes: 4*12=46", "Pencils left: 46-9=37", "Answer: 37"]


def run_whole(session: onnxruntime.InferenceSession, sequences: list[list[int]]) -> dict[str, np.ndarray]:
    """Outputs of one pass without a cache over right-padded sequences, by name, all positions kept."""
    longest = max(map(len, sequences))
    ids = np.zeros((len(sequences), longest), np.int64)
    mask = np.zeros_like(ids)
    for row, sequence in enumerate(sequences):
        ids[row, : len(sequence)], mask[row, : len(sequence)] = sequence, 1
    feeds = {
        "input_ids": ids,
        "attention_mask": mask,
        "position_ids": np.broadcast_to(np.arange(longest), ids.shape).copy(),
        "num_logits_to_keep": np.array(0, np.int64),
    }
    for each in session.get_inputs():
        if each.name.startswith("past_key_values"):
            feeds[each.name] = np.zeros((len(sequences), each.shape[1], 0, each.shape[3]), np.float32)
    names = [output.name for output in session.get_outputs() if not output.name.startswith("present")]
    return dict(zip(names, session.run(names, feeds)))


def make_canary(model: Path, tokenizer: Tokenizer) -> dict[str, Any]:
    """The manifest's canary: step rewards by the file `model`, the better product called the solution.

    An untrained model may prefer the wrong one; its canary then only checks that a device computes the same.
    """
    session = onnxruntime.InferenceSession(str(model))
    encoded = [encode_solution(tokenizer, PROBLEM, lines) for lines in (SOLUTION, WRONG)]
    rewards = run_whole(session, [tokens for tokens, _ in encoded])["rewards"]
    scored = [
        (lines, [round(float(rewards[row, end, 0]), 6) for end in ends])
        for row, (lines, (_, ends)) in enumerate(zip((SOLUTION, WRONG), encoded))
    ]
    (better, better_rewards), (worse, worse_rewards) = sorted(scored, key=lambda each: -float(np.prod(each[1])))
    return {
        "prompt": PROBLEM,
        "solution": better,
        "wrong": worse,
        "rewards": {"solution": better_rewards, "wrong": worse_rewards},
    }
