"""Numbers and equations in text: read, computed exactly, and checked."""

from __future__ import annotations

import ast
import re
from fractions import Fraction

NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w]|\.\d)")
_EQUATION = re.compile(r"(?<![\w.)/*+-])((?:\(?\d[\d.]*\)?[-+*/])+\(?\d[\d.]*\)?)=(\d+(?:\.\d+)?)(?![\d/*+-])")
# A value that is written with fewer decimals than it has is not a mistake.
ROUNDING = Fraction(1, 100)


def value_of(text: str) -> Fraction:
    return Fraction(text.replace(",", ""))


def show(value: Fraction) -> str:
    """`24`, `0.2`, `13.75`."""
    if value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):.4f}".rstrip("0").rstrip(".")


def evaluate(expression: str, swap: dict[Fraction, Fraction]) -> Fraction:
    """Exact value of a sum of numbers with + - * / and brackets, each number replaced by `swap`.

    Raises ValueError for anything else."""

    def walk(node: ast.AST) -> Fraction:
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            value = Fraction(str(node.value))
            return swap.get(value, value)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -walk(node.operand)
        if isinstance(node, ast.BinOp):
            left, right = walk(node.left), walk(node.right)
            match node.op:
                case ast.Add():
                    return left + right
                case ast.Sub():
                    return left - right
                case ast.Mult():
                    return left * right
                case ast.Div() if right != 0:
                    return left / right
        raise ValueError(expression)

    try:
        return walk(ast.parse(expression.replace(",", "").replace("$", "").strip(), mode="eval").body)
    except (SyntaxError, RecursionError) as error:
        raise ValueError(expression) from error


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
