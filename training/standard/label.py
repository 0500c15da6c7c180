"""Step labels of solutions to problems that people wrote: estimates, where the grammar's are exact.

Three sources, from the surest:
1. the arithmetic in a step: `12*7=84` holds or does not;
2. the final answer: in a solution with the right one and no false equation every step counts as right;
3. the values that right solutions pass through. In a solution with a wrong answer and no false equation, the first step
   whose value no right solution of the problem reaches (the training file's or a sampled one) counts as the mistake,
   unless rollouts from it reach the right answer (Math-Shepherd's estimate, arXiv 2312.08935).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from .arithmetic import NUMBER, holds, value_of

_ANSWER = re.compile(r"^Answer: \$?(-?[\d,]+(?:\.\d+)?)$")


def value_reached(line: str) -> Fraction | None:
    """The number that a step arrives at: the first after its last `=`, or its last number."""
    _, sign, after = line.rpartition("=")
    found = NUMBER.findall(after if sign else line)
    return value_of(found[0 if sign else -1]) if found else None


def answer_of(lines: list[str]) -> Fraction | None:
    match = _ANSWER.match(lines[-1]) if lines else None
    return value_of(match.group(1)) if match else None


def first_unseen(lines: list[str], right_values: set[Fraction]) -> int | None:
    """Index of the first step, the answer aside, whose value no right solution passes through."""
    for index, line in enumerate(lines[:-1]):
        value = value_reached(line)
        if value is not None and value not in right_values:
            return index
    return None


def is_doubtful(lines: list[str], answer: Fraction) -> bool:
    """Whether a solution is wrong though every equation in it holds."""
    return bool(lines) and answer_of(lines) != answer and all(map(holds, lines))


def first_mistake(
    lines: list[str],
    answer: Fraction,
    right_values: set[Fraction],
    reaches: Callable[[list[str]], bool] | None = None,
) -> int | None:
    """Index of the first wrong step by the estimate above, or None. `reaches` says whether rollouts from a prefix of
    the solution ever end in the right answer."""
    for index, line in enumerate(lines):
        if not holds(line):
            return index
    if answer_of(lines) == answer:
        return None
    for index, line in enumerate(lines[:-1]):
        value = value_reached(line)
        if value is not None and value not in right_values and not (reaches and reaches(lines[: index + 1])):
            return index
    # Every step is as in right solutions: what is wrong is what was concluded from them.
    return len(lines) - 1


def right_values_of(gold: list[str], solutions: list[list[str]], answer: Fraction) -> set[Fraction]:
    """The values that right solutions of a problem pass through."""
    right = [lines for lines in solutions if answer_of(lines) == answer and all(map(holds, lines))]
    return {value for lines in [gold, *right] for line in lines if (value := value_reached(line)) is not None}
