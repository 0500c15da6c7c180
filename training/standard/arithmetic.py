"""Numbers and equations in text: read, computed exactly, and checked."""

from __future__ import annotations

import re
from fractions import Fraction

from ..grammar.expression import evaluate as evaluate_tree, parse

NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w]|\.\d)")
_EQUATION = re.compile(r"(?<![\w.)/*+-])((?:\(?\d[\d.]*\)?[-+*/])+\(?\d[\d.]*\)?)=(\d+(?:\.\d+)?)(?![\d/*+-])")
# `0730` is a time.
_CLOCK = re.compile(r"(?<![\d.,])0[\d,]*[1-9]")
# A value that is written with fewer decimals than it has is not a mistake.
ROUNDING = Fraction(1, 100)


def value_of(text: str) -> Fraction:
    return Fraction(text.replace(",", ""))


def show(value: Fraction) -> str:
    """`24`, `0.2`, `13.75`."""
    if value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):.4f}".rstrip("0").rstrip(".")


def substituted(tree: tuple, swap: dict[Fraction, Fraction]) -> tuple:
    """The tree of grammar/expression.py with each number replaced by `swap`."""
    if tree[0] == "number":
        value = Fraction(tree[1])
        return ("number", swap.get(value, value))
    return (tree[0], *(substituted(child, swap) for child in tree[1:]))


def evaluate(expression: str, swap: dict[Fraction, Fraction]) -> Fraction:
    """Exact value of a sum of numbers with + - * / and brackets, each number replaced by `swap`.

    Raises ValueError for anything else."""
    if _CLOCK.search(expression):
        raise ValueError(expression)
    return Fraction(evaluate_tree(substituted(parse(expression.replace(",", "").replace("$", "")), swap)))


def equations(line: str) -> list[tuple[str, Fraction]]:
    """(expression, written value) of each equation between plain numbers in a line; units between them are skipped."""
    bare = re.sub(r"(?<=\d) ?[x×] ?(?=\d)", "*", line.replace("$", "").replace("%", "").replace(",", ""))
    bare = re.sub(r" ?([-+*/=]) ?(?=[\d.(])", r"\1", bare)
    return [(expression, Fraction(value)) for expression, value in _EQUATION.findall(bare)]


def holds(line: str) -> bool:
    """Whether every equation in a line is true, to the second decimal."""
    for expression, value in equations(line):
        try:
            if abs(evaluate(expression, {}) - value) > ROUNDING:
                return False
        except ValueError:
            continue
    return True
