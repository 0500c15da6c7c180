"""What the verifiers learn from: solutions that the generator wrote to problems that it did not train on, labelled."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

import torch
from tokenizers import Tokenizer

from ..corpus import encode_solution, problem_text, solution_text
from ..label import Labelled, label_rows
from ..model import Readout
from ..sample import lines_of, sample_lines, sample_tokens, training_problems
from ..tokenizer import BOS, CONTEXT, encode_texts
from .arithmetic import value_of
from .label import answer_of, first_mistake, first_unseen, is_doubtful, right_values_of
from .reworked import HumanProblem, rework

# Seeds of the grammar's problems that are sampled; the generator's training text is drawn in another way.
FIRST_SEED = 600_000_000
# Rows that are decoded together.
ROWS = 256
# Lines of a GSM8K solution: longer ones are dear to sample and nearly all wrong.
LONGEST = 5


@dataclass(frozen=True)
class Asked:
    """A problem with what is known of it. `seed` draws it again from the grammar, or is negative for a human one."""

    seed: int
    text: str
    gold: list[str]
    answer: Fraction | None


def asked_problems(
    kept_back: list[HumanProblem],
    met: list[HumanProblem],
    counts: tuple[int, int, int],
    rng: random.Random,
    first: int = -1,
) -> list[Asked]:
    """`counts` of problems: SVAMP, GSM8K, the grammar's. Half of the human ones are of those that were kept from the
    generator, as they stand or with other numbers, and half of those that it met, always with other numbers: the
    former are few, and what it does wrong there is not all that it does wrong. Seeds of human ones go down from `first`."""
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
            asked.setdefault(text, Asked(first - len(asked), text, lines, value_of(answer)))

    for people, svamp, gsm8k in ((kept_back, 0.9, 0.4), (met, 1.0, 1.0)):
        add([problem for problem in people if not problem.raw], counts[0] // 2, svamp)
        add([problem for problem in people if problem.raw and len(problem.lines) <= LONGEST], counts[1] // 2, gsm8k)
    for seed, text in training_problems(counts[2], FIRST_SEED):
        asked.setdefault(text, Asked(seed, text, [], None))
    return list(asked.values())


def sample_labelled(
    readout: Readout, tokenizer: Tokenizer, asked: list[Asked], lanes: int, temperature: float, seed: int, rollouts: int = 4
) -> list[Labelled]:
    """`lanes` solutions for each problem with labels: exact for the grammar's, estimated for human ones (label.py)."""
    written = sample_lines(readout, tokenizer, [each.text for each in asked], lanes, temperature, seed, ROWS)
    cleared = roll_out(readout, tokenizer, asked, written, temperature, seed, rollouts)
    labelled: list[Labelled] = []
    for each, solutions, prefixes in zip(asked, written, cleared):
        if each.answer is None:
            labelled += label_rows(tokenizer, [{"seed": each.seed, "lines": lines} for lines in solutions])
        else:
            labelled += label_human(tokenizer, each, solutions, prefixes)
    return labelled


def roll_out(
    readout: Readout,
    tokenizer: Tokenizer,
    asked: list[Asked],
    written: list[list[list[str]]],
    temperature: float,
    seed: int,
    rollouts: int,
) -> list[set[tuple[str, ...]]]:
    """For each problem the beginnings of wrong solutions, up to a value that no right one has, from which one of
    `rollouts` continuations reached the right answer."""
    doubted: dict[tuple[int, tuple[str, ...]], None] = {}
    for place, (each, solutions) in enumerate(zip(asked, written)):
        if each.answer is None:
            continue
        values = right_values_of(each.gold, solutions, each.answer)
        for lines in solutions:
            index = first_unseen(lines, values) if is_doubtful(lines, each.answer) else None
            if index is not None:
                doubted[place, tuple(lines[: index + 1])] = None
    cleared: list[set[tuple[str, ...]]] = [set() for _ in asked]
    rng = torch.Generator().manual_seed(seed + 1_000_000)
    places = sorted(doubted, key=lambda each: len(asked[each[0]].text))
    for start in range(0, len(places), max(1, ROWS // rollouts)):
        chosen = places[start : start + max(1, ROWS // rollouts)]
        texts = [problem_text(asked[place].text) + solution_text(list(prefix)) for place, prefix in chosen]
        prompts = [[BOS, *ids] for ids in encode_texts(tokenizer, texts)]
        continued = sample_tokens(readout, prompts, temperature, rng, lanes=rollouts)
        for number, tokens in enumerate(continued):
            place, prefix = chosen[number // rollouts]
            if answer_of(lines_of(tokenizer, tokens)) == asked[place].answer:
                cleared[place].add(prefix)
    return cleared


def label_human(
    tokenizer: Tokenizer, asked: Asked, solutions: list[list[str]], cleared: set[tuple[str, ...]] = set()
) -> list[Labelled]:
    """Labels by the estimate of label.py; `cleared` are beginnings that rollouts completed rightly."""
    assert asked.answer is not None
    prompt = len(encode_solution(tokenizer, asked.text, [])[0])
    values = right_values_of(asked.gold, solutions, asked.answer)
    labelled = []
    for lines in solutions:
        tokens, ends = encode_solution(tokenizer, asked.text, lines)
        if not lines or len(tokens) > CONTEXT:
            continue
        answer = answer_of(lines)
        first = first_mistake(lines, asked.answer, values, lambda prefix: tuple(prefix) in cleared)
        steps = [1] * len(ends) if first is None else [1] * first + [0]
        shown = None if answer is None else str(answer)
        labelled.append(Labelled(asked.seed, tokens, prompt, ends, steps, int(answer == asked.answer), shown))
    return labelled
