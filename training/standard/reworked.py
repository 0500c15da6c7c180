"""Problems that people wrote, with other numbers: one text gives many problems whose answers are known exactly.

GSM8K marks each calculation of its solutions (<<48/2=24>>), SVAMP gives an equation. Where the numbers of the text can
be told apart by value, they are drawn anew, every calculation is done again with the new ones, and the result is kept
if every step stays as whole and as positive as it was. Training files only (human.py).
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from ..human import Worked, default_folder, gsm8k_lines, tidy_number
from ..grammar.expression import evaluate as evaluate_tree, parse
from .arithmetic import NUMBER, evaluate, holds, show, substituted, value_of

_MARK = re.compile(r"<<([^<>=]*)=([^<>=]*)>>")
# Values that are often constants of the world (days, hours, cents, dozens) or of the language (twice, half).
CONSTANTS = frozenset({0, 1, 2, 3, 7, 10, 12, 24, 30, 31, 52, 60, 100, 365, 1000})
TRIES = 40


@dataclass(frozen=True)
class HumanProblem:
    """A row of a training file. `marks` are its calculations in order, each (expression, value)."""

    id: str
    text: str
    answer: str
    lines: list[str]
    marks: list[tuple[str, Fraction]]
    raw: str  # GSM8K's solution with its marks, or ""


def numbers_in(text: str) -> list[Fraction]:
    return [value_of(match.group()) for match in NUMBER.finditer(text)]


def replace_numbers(text: str, swap: dict[Fraction, Fraction]) -> str:
    def put(match: re.Match[str]) -> str:
        value = value_of(match.group())
        return show(swap[value]) if value in swap else match.group()

    return NUMBER.sub(put, text)


# -- reading -----------------------------------------------------------------------------------


def read_gsm8k(path: Path) -> list[HumanProblem]:
    problems = []
    for row in _rows(path):
        text = " ".join(row["problem"].split())
        marks = []
        for expression, value in _MARK.findall(row["solution"]):
            try:
                marks.append((expression, value_of(value.strip())))
            except ValueError:
                marks = []
                break
        answer = tidy_number(row["answer"])
        lines = gsm8k_lines(row["solution"], row["answer"])
        problems.append(HumanProblem(row["id"], text, answer, lines, marks, row["solution"]))
    return problems


_STOP = frozenset(
    "did does do were was are is will would has have had can could must should went left remain remained more in on of"
    " at from to for still now altogether total get got need needs make made".split()
)


def quantity_of(question: str) -> str:
    """What is asked for, as a step's label: `How many campers went rowing?` gives `Campers`."""
    found = re.search(r"[Hh]ow (?:many|much)(?: more| fewer| less| longer| farther)? ([^?.,]*)", question)
    words: list[str] = []
    for word in found.group(1).split() if found else []:
        if word.lower() in _STOP or not re.fullmatch(r"[A-Za-z'-]+", word) or len(words) == 3:
            break
        words.append(word)
    name = " ".join(words)
    return name[:1].upper() + name[1:] if name else "Result"


_STEP_NAMES = {"+": "Sum", "-": "Difference", "*": "Product", "/": "Quotient"}


def equation_steps(equation: str, swap: dict[Fraction, Fraction]) -> list[tuple[str, str, Fraction]]:
    """The operations of an equation in order: (operator, `46-43`, value). Raises ValueError."""
    steps: list[tuple[str, str, Fraction]] = []

    def walk(tree: tuple) -> Fraction:
        sign, *parts = tree
        if sign == "number":
            return parts[0]
        if sign == "neg":
            raise ValueError(equation)
        left, right = map(walk, parts)
        value = Fraction(evaluate_tree((sign, ("number", left), ("number", right))))
        steps.append((sign, f"{show(left)}{sign}{show(right)}", value))
        return value

    walk(substituted(parse(equation), swap))
    if not steps:
        raise ValueError(equation)
    return steps


def svamp_lines(text: str, steps: list[tuple[str, str, Fraction]]) -> list[str]:
    """One line per operation, the last one named after what is asked for."""
    last = len(steps) - 1
    names = [quantity_of(text) if index == last else _STEP_NAMES[sign] for index, (sign, _, _) in enumerate(steps)]
    lines = [f"{name}: {operation}={show(value)}" for name, (_, operation, value) in zip(names, steps)]
    return [*lines, f"Answer: {show(steps[-1][2])}"]


def read_svamp(path: Path) -> list[HumanProblem]:
    problems = []
    for row in _rows(path):
        text = " ".join(row["problem"].split())
        try:
            steps = equation_steps(row["equation"], {})
        except (ValueError, KeyError):
            continue
        # Where rounding was meant, the equation's value is not the answer.
        if steps[-1][2] == value_of(row["answer"]):
            marks = [(row["equation"], steps[-1][2])]
            problems.append(HumanProblem(row["id"], text, show(steps[-1][2]), svamp_lines(text, steps), marks, ""))
    return problems


def _rows(path: Path) -> Iterator[dict[str, str]]:
    if not path.exists():
        print(f"human text: {path.name} not found, skipped")
        return
    assert path.name.endswith("-train.jsonl"), "only training files are ever opened"
    yield from map(json.loads, filter(None, path.read_text().split("\n")))


def read_people(folder: Path | None = None) -> list[HumanProblem]:
    folder = folder or default_folder()
    return [*read_svamp(folder / "svamp-train.jsonl"), *read_gsm8k(folder / "gsm8k-train.jsonl")]


# -- with other numbers ------------------------------------------------------------------------


def rework(problem: HumanProblem, rng: random.Random) -> tuple[str, list[str], str] | None:
    """(text, lines, answer) with other numbers, or None where the numbers cannot be told apart or no draw fits."""
    if not problem.marks:
        return None
    found = numbers_in(problem.text)
    keep = CONSTANTS if problem.raw else frozenset({Fraction(0), Fraction(1)})
    # A number that no calculation of GSM8K's uses may still matter ("48% more", written as 1.48): it stays.
    used = {value for expression, _ in problem.marks for value in numbers_in(expression)}
    free = [value for value in dict.fromkeys(found) if value not in keep and (value in used or not problem.raw)]
    originals = _values(problem, {})
    if not free or originals is None or any(value in originals for value in free):
        return None
    money = "$" in problem.text and not problem.raw and not re.search(r"[*/]", problem.marks[0][0])
    decimal = money and rng.random() < 0.5
    for _ in range(TRIES):
        swap = {value: _draw(value, decimal, rng) for value in free}
        if len(set(swap.values())) < len(swap) or set(swap.values()) & keep or all(a == b for a, b in swap.items()):
            continue
        values = _values(problem, swap)
        if values is None or any(new <= 0 for new in values) or values[-1] > 100_000:
            continue
        if any(old.denominator == 1 and new.denominator != 1 and not decimal for old, new in zip(originals, values)):
            continue
        if any((new * 100).denominator != 1 for new in values):
            continue
        text = replace_numbers(problem.text, swap)
        if not problem.raw:
            steps = equation_steps(problem.marks[0][0], swap)
            if all(value > 0 for _, _, value in steps):
                return text, svamp_lines(text, steps), show(values[-1])
            continue
        whole = swap | dict(zip(originals, values))
        lines = gsm8k_lines(replace_numbers(problem.raw, whole), show(values[-1]))
        if all(map(holds, lines)):
            return text, lines, show(values[-1])
    return None


def _values(problem: HumanProblem, swap: dict[Fraction, Fraction]) -> list[Fraction] | None:
    """The value of each mark under `swap`, old results replaced as they are computed. None where one does not hold
    or two different quantities have the same old value."""
    known = dict(swap)
    values: list[Fraction] = []
    seen: set[Fraction] = set()
    for expression, old in problem.marks:
        try:
            value = evaluate(expression, known)
        except ValueError:
            return None
        if old in seen and known.get(old, old) != value:
            return None
        if not swap and value != old:
            return None
        seen.add(old)
        known[old] = value
        values.append(value)
    if not swap and values[-1] != value_of(problem.answer):
        return None
    return values


def _draw(value: Fraction, decimal: bool, rng: random.Random) -> Fraction:
    """A number of about the same size: whole, with as many decimals as before, or (`decimal`) in cents."""
    if decimal:
        return Fraction(rng.randint(105, 9_999), 100)
    if value.denominator != 1:
        scale = 10 if (value * 10).denominator == 1 else 100
        return Fraction(max(1, round(value * scale * Fraction(rng.uniform(0.5, 2)))), scale)
    if value >= 100 and value % 50 == 0:
        return Fraction(max(1, round(float(value) * rng.uniform(0.4, 2.5) / 10)) * 10)
    if rng.random() < 0.25 and value < 100:
        return Fraction(rng.randint(2, 99))
    return Fraction(max(2, round(float(value) * rng.uniform(0.4, 2.2)) + rng.randint(-1, 2)))


def as_worked(problem: HumanProblem) -> Worked:
    return problem.text, problem.lines
