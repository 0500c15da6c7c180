"""The small language in which families are written.

A family is templates (data) and one function, which draws numbers and words and returns its plans. A plan is a tuple of steps
`(id, label, expression over ids and quantities, *other accepted expressions)`; values, written expressions and the accepted
merged forms follow from it, and a draw with a negative, broken or oversized quantity is drawn again.
"""
from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
import re

from training.grammar import names, objects
from training.grammar.expression import BadExpression, evaluate, names_in, simplify, spell, symbolic
from training.grammar.problem import Node, Problem
from training.grammar.template import Scene, compiled, label, tidy

Step = tuple[str, ...]
Plans = list[tuple[Step, ...]]
LARGEST = 99_999
MERGED_OPERATORS = 3  # a step that merges earlier ones is accepted up to this many operators


class Redraw(Exception):
    """These numbers do not make a sensible problem."""


class Draw:
    """One problem being drawn. Attributes set on `d` through calls are its quantities and words."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.env: dict[str, object] = {}
        self.kind: str | None = None
        self.person("n", "")
        self.person("n2", "2")

    def __call__(self, **values: object) -> None:
        self.env.update(values)

    def __getitem__(self, key: str):
        return self.env[key]

    def int(self, low: int, high: int, step: int = 1) -> int:
        """Smaller numbers are likelier, as in problems that people write."""
        if high < low:
            raise Redraw
        span = (high - low) // step
        draw = self.rng.random()
        return low + int((draw if self.rng.random() < 0.6 else draw * draw) * (span + 1)) * step

    def pick(self, *options):
        return options[int(self.rng.random() * len(options))]

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def distinct(self, count: int, low: int, high: int) -> list[int]:
        return self.rng.sample(range(low, high + 1), count)

    def person(self, key: str, suffix: str) -> None:
        taken = {value for name, value in self.env.items() if name in ("n", "n2", "n3")}
        while True:
            name, pronoun = names.person(self.rng)
            if name not in taken:
                break
        if not pronoun:
            pronoun = "he" if name.startswith("Mr.") else "she"
        he, him, his = names.PRONOUNS[pronoun]
        self.env.update({key: name, "he" + suffix: he, "him" + suffix: him, "his" + suffix: his})

    def third(self) -> None:
        self.person("n3", "3")

    def thing(self, kinds: list = objects.THINGS, suffix: str = "", adjectives: bool = True) -> None:
        while True:
            one, many = objects.thing(self.rng, kinds, adjectives)
            if one not in self.env.values() and many not in self.env.values():
                break
        self.env["thing" + suffix], self.env["things" + suffix] = one, many
        if suffix:  # `{a thing2s}` reads as a count with a plural too
            self.env[f"thing{suffix}s"] = many

    def noun(self, key: str, kinds: list) -> None:
        """A real noun under `key`, its plural under `keys`."""
        self.env[key], self.env[key + "s"] = self.pick(*[pair for pair in kinds if pair[0] not in self.env.values()])

    def word(self, key: str, *pairs: tuple[str, str]) -> None:
        self.env[key], self.env[key + "s"] = self.pick(*pairs)

    def box(self) -> None:
        if self.chance(0.15):
            self.env["box"], self.env["boxs"] = objects.thing(self.rng, objects.FURNITURE, adjectives=False)
        else:
            self.noun("box", objects.CONTAINERS)
        self.env["boxes"] = self.env["boxs"]


@dataclass(frozen=True)
class Family:
    name: str
    texts: dict[str | None, tuple[str, ...]]
    build: Callable[[Draw], Plans]
    held_out: bool = False
    weight: float = 1.0
    whole: bool = True       # every value is an integer
    fractions: bool = False  # values that are not integers are spelled 3/4 rather than 0.75
    digits: bool = False     # texts with formulas: numbers are never written as words

    def make(self, rng: random.Random) -> Problem:
        while True:
            try:
                return self._draw(rng)
            except (Redraw, BadExpression):
                continue

    def _draw(self, rng: random.Random) -> Problem:
        draw = Draw(rng)
        plans = self.build(draw)
        scene = Scene(rng, draw.env)
        built = tuple([self._plan(steps, draw, scene) for steps in plans])
        goal = built[0][-1].value
        if any(plan[-1].value != goal for plan in built):
            raise AssertionError(f"{self.name}: plans disagree")
        style = rng.random()
        scene.word_limit = 0 if self.digits else 10 if style < 0.10 else 20 if style < 0.15 else 99 if style < 0.17 else 0
        scene.commas = 0.17 < style < 0.4
        scene.loose_money = 0.4 < style < 0.65
        text = _noise(tidy(compiled(draw.pick(*self.texts[draw.kind]))(scene)), rng)
        built = tuple([_free_labels(steps, nodes, draw.env, text) for steps, nodes in zip(plans, built)])
        return Problem(self.name, text, spelled(goal, self.fractions), built, self.held_out)

    def _plan(self, steps: tuple[Step, ...], draw: Draw, scene: Scene) -> tuple[Node, ...]:
        values = {key: value for key, value in draw.env.items() if value.__class__ is not str}
        written = {key: _operand(value, self.fractions) for key, value in values.items()}
        nodes = []
        for (identifier, source, *_), expressions in zip(steps, _expressions(tuple(step[:1] + step[2:] for step in steps))):
            value = simplify(evaluate(symbolic(expressions[0][0]), values))
            if value <= 0 or value > LARGEST or (value.__class__ is not int and (self.whole or not (self.fractions or "/" not in spell(value)))):
                raise Redraw
            values[identifier], written[identifier] = value, _operand(value, self.fractions)
            nodes.append(Node(label(source, scene), tuple([_write(text, written) for text, _ in expressions]), Fraction(value),
                              tuple([needs for _, needs in expressions])))
        return tuple(nodes)


_WHO = re.compile(r"\{(n|n2|n3|v)\}")


def _free_labels(steps: tuple[Step, ...], nodes: tuple[Node, ...], env: dict[str, object], text: str) -> tuple[Node, ...]:
    """Marks labels that name a person or a variable whom the text does not: nobody can know that name."""
    lowered = text.lower()
    return tuple(
        replace(node, free_label=True) if any(not _mentions(lowered, str(env[key]).lower()) for key in _WHO.findall(step[1])) else node
        for step, node in zip(steps, nodes)
    )


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<![a-z]){re.escape(name)}(?![a-z])", text) is not None


def spelled(value: int | Fraction, fractions: bool) -> str:
    if fractions and value.denominator != 1:
        return f"{value.numerator}/{value.denominator}"
    return spell(value)


def _operand(value: int | Fraction, fractions: bool) -> str:
    text = spelled(value, fractions)
    return f"({text})" if "/" in text else text


_NAME = re.compile(r"[a-z_]\w*")


def _write(text: str, written: dict[str, str]) -> str:
    return _NAME.sub(lambda match: written[match[0]], text)


@lru_cache(maxsize=4096)
def _expressions(steps: tuple[Step, ...]) -> tuple[tuple[tuple[str, tuple[int, ...]], ...], ...]:
    """For each step its accepted symbolic expressions with the indices of the steps that each relies on.

    Besides those listed, a step may do the work of the steps it uses: `4*12-9` for `48-9`.
    """
    index = {step[0]: position for position, step in enumerate(steps)}
    result: list[tuple[tuple[str, tuple[int, ...]], ...]] = []
    for step in steps:
        accepted: dict[str, tuple[int, ...]] = {}
        for text in step[1:]:
            accepted[text] = tuple(sorted({index[name] for name in names_in(symbolic(text)) if name in index}))
        queue = list(accepted)
        while queue and len(accepted) < 8:
            text = queue.pop(0)
            for name in sorted(set(names_in(symbolic(text))) & set(index)):
                for inner, _ in result[index[name]][:2]:
                    merged = re.sub(rf"\b{name}\b", f"({inner})", text)
                    if len(re.findall(r"[-+*/]", merged)) <= MERGED_OPERATORS and merged not in accepted:
                        accepted[merged] = tuple(sorted({index[other] for other in names_in(symbolic(merged)) if other in index}))
                        queue.append(merged)
        result.append(tuple(accepted.items()))
    return tuple(result)


def _noise(text: str, rng: random.Random) -> str:
    """What people do to punctuation; one draw decides, so most texts stay clean."""
    draw = rng.random()
    if draw < 0.06:
        return re.sub(r"(?<=[\w)])([.?!,])(?= |$)", r" \1", text)
    if draw < 0.11:
        return text.rstrip(".?! ")
    if draw < 0.14:
        return text.replace(". ", ".  ")
    if draw < 0.16:
        return text.lower()
    if draw < 0.21:
        return text.replace("$", "$ ")
    if draw < 0.22:
        return text.replace(". ", ".", 1) if not any(char.isdigit() for char in text[text.find(". ") - 1:][:3]) else text
    return text


FAMILIES: dict[str, Family] = {}


def family(name: str, texts: list[str] | dict[str, list[str]], **options) -> Callable:
    """Registers a family; texts are a list, or lists by the kind that the function chooses with `d.kind`."""
    by_kind = {kind: tuple(lines) for kind, lines in texts.items()} if isinstance(texts, dict) else {None: tuple(texts)}

    def register(build: Callable[[Draw], Plans]) -> Callable[[Draw], Plans]:
        assert name not in FAMILIES, name
        FAMILIES[name] = Family(name, by_kind, build, **options)
        return build
    return register
