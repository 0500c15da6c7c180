"""An exact judge of written solutions: which lines are justified derivations, and what is wrong with those that are not.

A step is correct when its label names a quantity of a valid path, its expression is that quantity in terms of numbers that are given
or already derived, and its value is exact. Paths are followed together: a step must fit one that all earlier correct steps fit.
A label that names no quantity at all, such as a made-up word with a letter wrong, is taken for a misspelling: the mathematics of the
step is judged, as a person would. A label that names another quantity is a mistake.
Decisions: repeating a derived quantity is SETUP (it derives nothing); an expression that fits under the label of another quantity is COPYING;
an answer line is right only when the goal was derived, a right value out of nowhere is SETUP; a wrong answer line is ANSWER when the
goal was derived and SETUP otherwise; anything unreadable, and any line after the answer, is MALFORMED.
"""
from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache

from training.grammar.expression import BadExpression, evaluate, literals, normal_form, parse
from training.grammar.problem import Problem
from training.grammar.wording import numbers_in

MAX_LINES = 64
MAX_LINE = 240
# Numbers that everybody knows; those that a family's own steps use are added per problem.
CONSTANTS = frozenset(map(Fraction, (12, 60, 100, 1000)))


class Mistake(StrEnum):
    ARITHMETIC = "arithmetic"
    SETUP = "setup"
    COPYING = "copying"
    ANSWER = "answer"
    MALFORMED = "malformed"


@dataclass(frozen=True)
class StepVerdict:
    correct: bool
    mistake: Mistake | None


@dataclass(frozen=True)
class SolutionVerdict:
    steps: tuple[StepVerdict, ...]
    first_mistake: int | None
    answer: str | None
    answer_correct: bool


_CORRECT = StepVerdict(True, None)
_WRONG = {mistake: StepVerdict(False, mistake) for mistake in Mistake}
_ANSWER = re.compile(r"\s*answer\s*:\s*(.*?)\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class _Node:
    label: str
    value: Fraction
    free_label: bool  # any label will do
    forms: dict  # normal form -> the nodes it needs


def _clean(label: str) -> str:
    return " ".join(label.split()).casefold()


@lru_cache(maxsize=2048)
def _compiled(problem: Problem) -> tuple[tuple[tuple[_Node, ...], ...], frozenset[Fraction]]:
    plans = []
    given = numbers_in(problem.text)
    values = {node.value for plan in problem.plans for node in plan}
    known = set(given) | CONSTANTS
    for plan in problem.plans:
        nodes = []
        for node in plan:
            forms: dict = {}
            for position, text in enumerate(node.exprs):
                tree = parse(text)
                needs = node.needs[position] if node.needs else ()
                forms.setdefault(normal_form(tree), []).append(frozenset(needs))
                # Literals that are neither given nor derived are constants such as 60 minutes.
                derived = {plan[index].value for index in needs} if node.needs else values
                known.update(value for value in map(Fraction, literals(tree)) if value not in derived)
            nodes.append(_Node(_clean(node.label), node.value, node.free_label, forms))
        plans.append(tuple(nodes))
    return tuple(plans), frozenset(known)


def read_number(text: str) -> Fraction | None:
    """The value of a written number or fraction; signs of money, commas and a final dot are forgiven."""
    text = text.strip().rstrip(".").replace(",", "").replace("$", "").removesuffix("%").strip()
    try:
        tree = parse(text)
        plain = tree[1] if tree[0] == "neg" else tree
        if plain[0] == "number" or (plain[0] == "/" and plain[1][0] == plain[2][0] == "number"):
            return Fraction(evaluate(tree))
    except (BadExpression, RecursionError):
        pass
    return None


class _Judge:
    def __init__(self, problem: Problem) -> None:
        plans, known = _compiled(problem)
        self.truth = Fraction(problem.answer)
        self.known = set(known)
        # Each path still possible, with the indices of its nodes that are derived.
        self.alive: list[tuple[tuple[_Node, ...], frozenset[int]]] = [(plan, frozenset()) for plan in plans]
        self.labels = {node.label for plan in plans for node in plan}
        self.answer: str | None = None
        self.value: Fraction | None = None

    def line(self, text: str) -> StepVerdict:
        if self.answer is not None or not isinstance(text, str) or len(text) > MAX_LINE:
            return _WRONG[Mistake.MALFORMED]
        answer = _ANSWER.match(text)
        if answer:
            return self._answer(answer[1])
        label, colon, rest = text.partition(":")
        expression, equals, result = rest.partition("=")
        if not colon or not equals or "=" in result or not label.strip():
            return _WRONG[Mistake.MALFORMED]
        try:
            tree = parse(expression)
            form, computed, operands = normal_form(tree), Fraction(evaluate(tree)), literals(tree)
        except (BadExpression, RecursionError):
            return _WRONG[Mistake.MALFORMED]
        value = read_number(result)
        if value is None:
            return _WRONG[Mistake.MALFORMED]
        verdict = self._step(_clean(label), form, computed == value, operands)
        self.known.add(value)
        return verdict

    def _answer(self, text: str) -> StepVerdict:
        self.answer, self.value = text, read_number(text)
        derived = any(len(plan) - 1 in done for plan, done in self.alive)
        if self.value is None:
            return _WRONG[Mistake.MALFORMED]
        if not derived:
            return _WRONG[Mistake.SETUP]
        return _CORRECT if self.value == self.truth else _WRONG[Mistake.ANSWER]

    def _step(self, label: str, form, exact: bool, operands: list) -> StepVerdict:
        fits: list[tuple[int, int]] = []
        for path, (plan, done) in enumerate(self.alive):
            for position, node in enumerate(plan):
                if position not in done and any(needs <= done for needs in node.forms.get(form, ())):
                    fits.append((path, position))
        if not fits:
            strange = any(Fraction(value) not in self.known for value in operands)
            return _WRONG[Mistake.COPYING if strange else Mistake.SETUP]
        named = {}
        for path, position in fits:
            node = self.alive[path][0][position]
            if node.free_label or node.label == label:
                named.setdefault(path, position)
        if not named and label not in self.labels:
            for path, position in fits:
                named.setdefault(path, position)
        if not named:
            repeats = any(
                plan[position].label == label and form in plan[position].forms for plan, done in self.alive for position in done
            )
            return _WRONG[Mistake.SETUP if repeats else Mistake.COPYING]
        if not exact:
            return _WRONG[Mistake.ARITHMETIC]
        self.alive = [(self.alive[path][0], self.alive[path][1] | {position}) for path, position in named.items()]
        return _CORRECT


def check_solution(problem: Problem, lines: list[str]) -> SolutionVerdict:
    judge = _Judge(problem)
    steps = tuple(judge.line(line) for line in lines[:MAX_LINES])
    steps += (_WRONG[Mistake.MALFORMED],) * (len(lines) - len(steps))
    first = next((index for index, step in enumerate(steps) if not step.correct), None)
    return SolutionVerdict(steps, first, judge.answer, judge.value is not None and judge.value == judge.truth)
