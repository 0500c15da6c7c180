"""What the standard generator is trained on, as token rows with a weight for each token.

Four kinds, mixed by share of problems: problems that people wrote as they stand, the same with other numbers
(reworked.py), the grammar's, and drills of plain equations, which teach arithmetic at few tokens.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from ..corpus import length_groups, problem_text, solution_text
from ..grammar.generate import make_problem, write_solution
from ..human import Worked
from ..tokenizer import BOS, EOS, PAD, encode_texts
from .arithmetic import show
from .reworked import HumanProblem, as_worked, rework

# What a token of the problem's text weighs in the loss beside one of the solution.
PROBLEM_WEIGHT = 0.1
LONGEST = 256


@dataclass(frozen=True)
class Shares:
    """How often each kind is drawn."""

    gsm8k: float = 0.07
    gsm8k_reworked: float = 0.11
    svamp: float = 0.02
    svamp_reworked: float = 0.28
    grammar: float = 0.24
    drill: float = 0.28


@dataclass(frozen=True)
class Row:
    tokens: list[int]
    weights: list[float]


def drill(rng: random.Random, lines: int = 10) -> list[tuple[str, str]]:
    """Pairs of an equation's left side with `=` and its value, each true."""
    pairs = []
    for _ in range(lines):
        kind = rng.choice("++----****//.")
        if kind == "*":
            a, b = rng.choice([(rng.randint(2, 12), rng.randint(2, 99)), (rng.randint(2, 9), rng.randint(2, 999))])
            if rng.random() < 0.5:
                a, b = b, a
            pairs.append((f"{a}*{b}=", str(a * b)))
        elif kind == "/":
            b, quotient = rng.randint(2, 12), rng.choice([rng.randint(2, 12), rng.randint(2, 99)])
            pairs.append((f"{b * quotient}/{b}=", str(quotient)))
        elif kind == ".":
            a, b = sorted((rng.randint(5, 3_000), rng.randint(5, 3_000)))
            sign = rng.choice("+-")
            value = b + a if sign == "+" else b - a
            b, a, value = (show(Fraction(cents, 100)) for cents in (b, a, value))
            pairs.append((f"{b}{sign}{a}=", value))
        else:
            most = rng.choice([20, 99, 99, 99, 999, 9_999])
            a, b = rng.randint(1, most), rng.randint(1, most)
            if kind == "-":
                a, b = max(a, b) + 1, min(a, b)
            pairs.append((f"{a}{kind}{b}=", str(a + b if kind == "+" else a - b)))
    return pairs


class TrainingText:
    """Draws rows without end. `people` are the human problems that the generator may see."""

    def __init__(self, tokenizer: Tokenizer, people: list[HumanProblem], banned: frozenset[str], shares: Shares = Shares()):
        self.tokenizer, self.banned = tokenizer, banned
        self.svamp = [problem for problem in people if not problem.raw]
        # Long solutions teach little that short problems need, and cost much.
        self.gsm8k = [problem for problem in people if problem.raw and len(problem.lines) <= 6]
        weights = {
            "gsm8k": shares.gsm8k * bool(self.gsm8k),
            "gsm8k_reworked": shares.gsm8k_reworked * bool(self.gsm8k),
            "svamp": shares.svamp * bool(self.svamp),
            "svamp_reworked": shares.svamp_reworked * bool(self.svamp),
            "grammar": shares.grammar,
            "drill": shares.drill,
        }
        self.kinds, self.weights = list(weights), list(weights.values())

    def worked(self, rng: random.Random, kind: str) -> Worked:
        pool = self.gsm8k if kind.startswith("gsm8k") else self.svamp
        if kind == "grammar":
            while True:
                problem = make_problem(rng)
                if problem.text not in self.banned:
                    return problem.text, write_solution(problem, rng)
        while True:
            problem = rng.choice(pool)
            if not kind.endswith("reworked"):
                return as_worked(problem)
            changed = rework(problem, rng)
            if changed is not None:
                return changed[0], changed[1]

    def row(self, rng: random.Random) -> Row:
        kind = rng.choices(self.kinds, self.weights)[0]
        if kind == "drill":
            pieces = [(text, weight) for left, right in drill(rng) for text, weight in ((left, 0.0), (f"{right}\n", 1.0))]
        else:
            text, lines = self.worked(rng, kind)
            pieces = [(problem_text(text), PROBLEM_WEIGHT), (solution_text(lines), 1.0)]
        tokens, weights = [BOS], [0.0]
        for ids, (_, weight) in zip(encode_texts(self.tokenizer, [text for text, _ in pieces]), pieces):
            tokens.extend(ids)
            weights.extend([weight] * len(ids))
        return Row([*tokens, EOS], [*weights, 1.0 if kind != "drill" else 0.0])

    def batches(self, seed: int, batch_tokens: int, pool: int = 1024) -> Iterator[tuple[Tensor, Tensor, int]]:
        """Right-padded ids [B, S], the weight of predicting each of ids[:, 1:] [B, S - 1], and how many tokens are real.

        `pool` rows at a time are drawn and put together by length. The pool number k of a seed is always the same."""
        for number in count():
            rng = random.Random(seed * 1_000_003 + number)
            rows = [row for row in (self.row(rng) for _ in range(pool)) if len(row.tokens) <= LONGEST]
            lengths = np.array([len(row.tokens) for row in rows])
            for indices in length_groups(lengths, batch_tokens, np.random.default_rng((seed, number))):
                group = [rows[index] for index in indices]
                width = -(-max(len(row.tokens) for row in group) // 8) * 8 + 1
                ids = np.full((len(group), width), PAD, np.int64)
                weights = np.zeros((len(group), width), np.float32)
                for place, row in enumerate(group):
                    ids[place, : len(row.tokens)] = row.tokens
                    weights[place, : len(row.tokens)] = row.weights
                yield torch.from_numpy(ids), torch.from_numpy(weights)[:, 1:], sum(len(row.tokens) for row in group)
