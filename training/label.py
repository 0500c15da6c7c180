"""Exact labels for sampled solutions, from the checker, as token positions and targets.

PRM: one target for each step up to and including the first mistake, 1 for correct. What follows a mistake has
no label, as in the paper (arXiv 2305.20050, section 2.6). ORM: whether the final answer is right, at every token of
the solution (section 2.5).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from tokenizers import Tokenizer

from .corpus import problem_text
from .grammar.checker import check_solution
from .grammar.generate import make_problem
from .tokenizer import BOS, CONTEXT, encode_texts


@dataclass(frozen=True)
class Labelled:
    """One solution. `ends` are the positions of its newlines in `tokens`, `steps` the targets of the first
    len(steps) of them, `prompt` the number of tokens before the solution."""

    seed: int
    tokens: list[int]
    prompt: int
    ends: list[int]
    steps: list[int]
    outcome: int
    answer: str | None


def label_rows(tokenizer: Tokenizer, rows: list[dict[str, Any]], held_out: bool = False) -> list[Labelled]:
    """Labels of sample rows (sample.py). Rows without a finished line, or too long, are left out."""
    labelled: list[Labelled] = []
    problem, prompt, drawn = None, [], None
    for row in rows:
        if not row["lines"]:
            continue
        if row["seed"] != drawn:
            drawn = row["seed"]
            problem = make_problem(random.Random(drawn), held_out=held_out)
            prompt = [BOS, *encode_texts(tokenizer, [problem_text(problem.text)])[0]]
        verdict = check_solution(problem, row["lines"])
        tokens, ends = list(prompt), []
        for ids in encode_texts(tokenizer, [line + "\n" for line in row["lines"]]):
            tokens.extend(ids)
            ends.append(len(tokens) - 1)
        if len(tokens) > CONTEXT:
            continue
        first = verdict.first_mistake
        steps = [1] * len(ends) if first is None else [1] * first + [0]
        labelled.append(Labelled(drawn, tokens, len(prompt), ends, steps, int(verdict.answer_correct), verdict.answer))
    return labelled
