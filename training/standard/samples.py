"""What the verifiers learn from: solutions that the generator wrote to problems that it did not train on, labelled."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

import torch
from tokenizers import Tokenizer
from torch import Tensor

from ..corpus import problem_text
from ..label import Labelled, label_rows
from ..model import Readout, Trunk, verifier_features
from ..sample import sample_lines, training_problems
from ..tokenizer import BOS, encode_texts
from .arithmetic import value_of
from .label import answer_of, first_mistake, right_values_of
from .pretrained import CONTEXT
from .reworked import HumanProblem, rework

# Seeds of the grammar's problems that are sampled; the generator's training text is drawn in another way.
FIRST_SEED = 600_000_000


@dataclass(frozen=True)
class Asked:
    """A problem with what is known of it. `seed` draws it again from the grammar, or is negative for a human one."""

    seed: int
    text: str
    gold: list[str]
    answer: Fraction | None


def asked_problems(people: list[HumanProblem], counts: tuple[int, int, int], rng: random.Random) -> list[Asked]:
    """`counts` of problems: SVAMP with other numbers, GSM8K (as it stands or with other numbers), the grammar's."""
    svamp = [problem for problem in people if not problem.raw]
    gsm8k = [problem for problem in people if problem.raw and len(problem.lines) <= 5]
    asked: dict[str, Asked] = {}

    def add(pool: list[HumanProblem], count: int, changed: float) -> None:
        wanted = len(asked) + (count if pool else 0)
        for _ in range(20 * count):
            if len(asked) >= wanted:
                break
            problem = rng.choice(pool)
            text, lines, answer = problem.text, problem.lines, problem.answer
            if rng.random() < changed:
                other = rework(problem, rng)
                if other is None:
                    continue
                text, lines, answer = other
            asked.setdefault(text, Asked(-1 - len(asked), text, lines, value_of(answer)))

    add(svamp, counts[0], 0.9)
    add(gsm8k, counts[1], 0.4)
    for seed, text in training_problems(counts[2], FIRST_SEED):
        asked.setdefault(text, Asked(seed, text, [], None))
    return list(asked.values())


def sample_labelled(
    readout: Readout, tokenizer: Tokenizer, asked: list[Asked], lanes: int, temperature: float, seed: int, rows: int = 256
) -> list[Labelled]:
    """`lanes` solutions for each problem with labels: exact for the grammar's, estimated for human ones (label.py)."""
    written = sample_lines(readout, tokenizer, [each.text for each in asked], lanes, temperature, seed, rows)
    labelled: list[Labelled] = []
    for each, solutions in zip(asked, written):
        if each.answer is None:
            labelled += label_rows(tokenizer, [{"seed": each.seed, "lines": lines} for lines in solutions])
        else:
            labelled += label_human(tokenizer, each, solutions)
    return labelled


def label_human(tokenizer: Tokenizer, asked: Asked, solutions: list[list[str]]) -> list[Labelled]:
    assert asked.answer is not None
    prompt = [BOS, *encode_texts(tokenizer, [problem_text(asked.text)])[0]]
    values = right_values_of(asked.gold, solutions, asked.answer)
    labelled = []
    for lines in solutions:
        tokens, ends = list(prompt), []
        for ids in encode_texts(tokenizer, [line + "\n" for line in lines]):
            tokens.extend(ids)
            ends.append(len(tokens) - 1)
        if not lines or len(tokens) > CONTEXT:
            continue
        answer = answer_of(lines)
        first = first_mistake(lines, asked.answer, values)
        steps = [1] * len(ends) if first is None else [1] * first + [0]
        labelled.append(
            Labelled(asked.seed, tokens, len(prompt), ends, steps, int(answer == asked.answer), None if answer is None else str(answer))
        )
    return labelled


class FeatureCache:
    """What the verifiers read of each row, computed once: the trunk is frozen, and most of the work."""

    def __init__(self, trunk: Trunk) -> None:
        self.trunk = trunk
        self.kept: dict[int, Tensor] = {}

    def __call__(self, rows: list[Labelled], ids: Tensor) -> Tensor:
        if any(id(row) not in self.kept for row in rows):
            features = verifier_features(self.trunk, ids).to(torch.bfloat16)
            for place, row in enumerate(rows):
                self.kept.setdefault(id(row), features[place, : len(row.tokens)].clone())
            return features
        features = torch.zeros(*ids.shape, self.kept[id(rows[0])].shape[-1], dtype=torch.bfloat16)
        for place, row in enumerate(rows):
            features[place, : len(row.tokens)] = self.kept[id(row)]
        return features
