"""Arithmetic over written numbers: a bounded parser, exact values and a normal form.

Two expressions have the same normal form when they differ only by commuting, regrouping, bracketing or
distributing. The numbers stay symbols there: `4+4` and `4*2` differ, because they tell different stories.
"""
from __future__ import annotations

import hashlib
import re
from fractions import Fraction
from functools import lru_cache

MAX_LENGTH = 160
MAX_DEPTH = 24
MAX_TERMS = 64
MAX_DIGITS = 12

_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?|\.\d+)|([a-z_]\w*)|(.))")
_OPERATORS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "[": "(", "]": ")"})

Number = int | Fraction
Form = tuple[tuple[tuple[tuple[str, int], ...], int], ...]


class BadExpression(ValueError):
    """The text is not an expression within the bounds."""


def simplify(value: Number) -> Number:
    """An int where possible: integers are several times faster than fractions."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def spell(value: Number) -> str:
    """The one canonical spelling: integer, decimal without trailing zeros, or a fraction in lowest terms."""
    if isinstance(value, int):
        return str(value)
    numerator, denominator = value.numerator, value.denominator
    if denominator == 1:
        return str(numerator)
    for places in (1, 2, 3, 4):
        scaled = numerator * 10**places
        if scaled % denominator == 0:
            digits = str(abs(scaled // denominator)).rjust(places + 1, "0")
            return ("-" if numerator < 0 else "") + digits[:-places] + "." + digits[-places:]
    return f"{numerator}/{denominator}"


def _tokens(text: str) -> list[tuple[str, object]]:
    if len(text) > MAX_LENGTH:
        raise BadExpression("too long")
    text = text.translate(_OPERATORS).strip()
    tokens: list[tuple[str, object]] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise BadExpression("unreadable")
        position = match.end()
        number, name, sign = match.groups()
        if number is not None:
            if len(number) > MAX_DIGITS:
                raise BadExpression("number too long")
            tokens.append(("number", simplify(Fraction(number))))
        elif name is not None:
            tokens.append(("name", name))
        elif sign in "+-*/()":
            tokens.append((sign, None))
        else:
            raise BadExpression(f"unexpected {sign!r}")
    return tokens


def parse(text: str, names: bool = False) -> tuple:
    """The syntax tree: ('number', n), ('name', s), ('neg', t) or (operator, left, right)."""
    tokens = _tokens(text)
    position = 0

    def peek() -> str:
        return tokens[position][0] if position < len(tokens) else ""

    def atom(depth: int) -> tuple:
        nonlocal position
        if depth > MAX_DEPTH:
            raise BadExpression("too deep")
        kind = peek()
        if kind == "number" or (kind == "name" and names):
            position += 1
            return tokens[position - 1]
        if kind == "-":
            position += 1
            return ("neg", atom(depth + 1))
        if kind == "(":
            position += 1
            inner = total(depth + 1)
            if peek() != ")":
                raise BadExpression("bracket not closed")
            position += 1
            return inner
        raise BadExpression("operand missing")

    def product(depth: int) -> tuple:
        nonlocal position
        left = atom(depth)
        while peek() in ("*", "/"):
            operator = peek()
            position += 1
            left = (operator, left, atom(depth))
        return left

    def total(depth: int) -> tuple:
        nonlocal position
        left = product(depth)
        while peek() in ("+", "-"):
            operator = peek()
            position += 1
            left = (operator, left, product(depth))
        return left

    tree = total(0)
    if position != len(tokens):
        raise BadExpression("text after the expression")
    return tree


@lru_cache(maxsize=4096)
def symbolic(text: str) -> tuple:
    """The tree of an expression over named quantities; families use few, so they are kept."""
    return parse(text, names=True)


def evaluate(tree: tuple, values: dict[str, Number] | None = None) -> Number:
    kind = tree[0]
    if kind == "number":
        return tree[1]
    if kind == "name":
        return values[tree[1]]
    if kind == "neg":
        return -evaluate(tree[1], values)
    left, right = evaluate(tree[1], values), evaluate(tree[2], values)
    if kind == "+":
        return left + right
    if kind == "-":
        return left - right
    if kind == "*":
        return left * right
    if right == 0:
        raise BadExpression("division by zero")
    return simplify(Fraction(left) / right)


def literals(tree: tuple) -> list[Number]:
    """The written numbers, from left to right."""
    if tree[0] == "number":
        return [simplify(tree[1])]
    return [value for child in tree[1:] if isinstance(child, tuple) for value in literals(child)]


def names_in(tree: tuple) -> list[str]:
    if tree[0] == "name":
        return [tree[1]]
    return [name for child in tree[1:] if isinstance(child, tuple) for name in names_in(child)]


def _add(left: dict, right: dict, sign: int) -> dict:
    result = dict(left)
    for term, coefficient in right.items():
        value = result.get(term, 0) + sign * coefficient
        if value:
            result[term] = value
        else:
            result.pop(term, None)
    if len(result) > MAX_TERMS:
        raise BadExpression("too many terms")
    return result


def _times(left: tuple, right: tuple) -> tuple:
    powers = dict(left)
    for atom, power in right:
        value = powers.get(atom, 0) + power
        if value:
            powers[atom] = value
        else:
            powers.pop(atom, None)
    return tuple(sorted(powers.items()))


def _multiply(left: dict, right: dict) -> dict:
    if len(left) * len(right) > MAX_TERMS:
        raise BadExpression("too many terms")
    result: dict = {}
    for a, p in left.items():
        for b, q in right.items():
            result = _add(result, {_times(a, b): p * q}, 1)
    return result


def _inverse(form: dict) -> dict:
    if len(form) == 1:
        (term, coefficient), = form.items()
        if coefficient in (1, -1):
            return {tuple((atom, -power) for atom, power in term): coefficient}
    # A sum below the line is one opaque symbol; its digest, since spelling out nested sums doubles with each level.
    digest = hashlib.sha256(repr(sorted(form.items())).encode()).hexdigest()
    return {((f"({digest})", -1),): 1}


def _form(tree: tuple) -> dict:
    kind = tree[0]
    if kind == "number":
        return {((spell(tree[1]), 1),): 1}
    if kind == "neg":
        return _add({}, _form(tree[1]), -1)
    left, right = _form(tree[1]), _form(tree[2])
    if kind in "+-":
        return _add(left, right, 1 if kind == "+" else -1)
    return _multiply(left, right if kind == "*" else _inverse(right))


def normal_form(tree: tuple) -> Form:
    return tuple(sorted(_form(tree).items()))
