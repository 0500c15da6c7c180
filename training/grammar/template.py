"""Templates: text with `[one|or another]` and slots such as `{n}`, `{a things}`, `{p$}`, `{he gives}`, `{does he}`.

Alternatives nest. Each template is compiled once into functions of the scene, since millions of problems are rendered.
"""
from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from training.grammar.expression import spell
from training.grammar.wording import expand, words

_PLURAL_VERB = {"has": "have", "is": "are", "was": "were", "does": "do", "goes": "go", "doesn't": "don't"}


class Scene:
    """The quantities and words of one problem, and how this text likes to write numbers."""

    def __init__(self, rng, env: dict[str, object], word_limit: int = 0, commas: bool = False, loose_money: bool = False) -> None:
        self.rng, self.env = rng, env
        self.word_limit, self.commas, self.loose_money = word_limit, commas, loose_money

    def number(self, value: int | Fraction) -> str:
        if isinstance(value, int):
            if value <= self.word_limit:
                return words(value)
            return f"{value:,}" if self.commas and value > 999 else str(value)
        return spell(value)

    def money(self, value: int | Fraction) -> str:
        if isinstance(value, int):
            if self.loose_money:
                return f"{self.number(value)} dollar{'s' if value != 1 else ''}"
            return f"${value:,}" if self.commas else f"${value}"
        return f"${float(value):.2f}"


def _agree(verb: str) -> str:
    """The verb that goes with `they`, from the one that goes with `he`."""
    if verb in _PLURAL_VERB:
        return _PLURAL_VERB[verb]
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    if verb.endswith(("sses", "shes", "ches", "xes")):
        return verb[:-2]
    return verb[:-1]


def _slot(source: str) -> Callable[[Scene], str]:
    first, _, second = source.partition(" ")
    key = first[0].lower() + first[1:]
    capital = first[0].isupper()
    if second in ("he", "he2", "he3"):  # {does he}
        return lambda scene: (f"{_agree(first) if scene.env[second] == 'they' else first} {scene.env[second]}")
    if key in ("he", "he2", "he3") and second:  # {he gives}
        def pronoun(scene: Scene) -> str:
            word = scene.env[key]
            verb = _agree(second) if word == "they" else second
            return f"{word.capitalize() if capital else word} {verb}"
        return pronoun
    if second:  # {a things}: a count and its noun
        singular = second[:-1]
        return lambda scene: f"{scene.number(scene.env[key])} {scene.env[singular if scene.env[key] == 1 else second]}"
    if key.endswith("$"):
        return lambda scene: scene.money(scene.env[key[:-1]])

    def plain(scene: Scene) -> str:
        value = scene.env[key]
        text = value if isinstance(value, str) else scene.number(value)
        return text[0].upper() + text[1:] if capital else text
    return plain


def _sequence(source: str, position: int, stop: str) -> tuple[list, int, str]:
    parts: list = []
    text = ""
    while position < len(source):
        char = source[position]
        if char in stop:
            break
        if char == "{":
            end = source.index("}", position)
            if text:
                parts.append(text)
            parts.append(_slot(source[position + 1:end]))
            text, position = "", end + 1
        elif char == "[":
            if text:
                parts.append(text)
            text = ""
            options, closing = [], "|"
            position += 1
            while closing == "|":
                option, position, closing = _sequence(source, position, "|]")
                options.append(_join(option))
                position += 1
            assert closing == "]", source
            parts.append(_choice(options))
        else:
            text += char
            position += 1
    if text:
        parts.append(text)
    return parts, position, source[position] if position < len(source) else ""


def _join(parts: list) -> str | Callable[[Scene], str]:
    if not parts:
        return ""
    if len(parts) == 1:
        return parts[0]
    return lambda scene: "".join([part if part.__class__ is str else part(scene) for part in parts])


def _choice(options: list) -> Callable[[Scene], str]:
    count = len(options)

    def choose(scene: Scene) -> str:
        option = options[int(scene.rng.random() * count)]
        return option if option.__class__ is str else option(scene)
    return choose


@lru_cache(maxsize=None)
def compiled(source: str) -> Callable[[Scene], str]:
    parts, position, _ = _sequence(expand(source), 0, "")
    assert position == len(expand(source)), source
    body = _join(parts)
    return (lambda scene: body) if isinstance(body, str) else body


_SPACES = re.compile(r"  +")
_SENTENCE = re.compile(r"(^|[.?!] )([a-z])")
_INVERTED_THEY = re.compile(r"\b(does|has|is|was) they\b")
_THEY_VERB = re.compile(r"\b([Tt]hey) (?!always\b|plus\b)([a-z]+s)\b")
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeio][a-z]|8|11\b|18\b|u(?!n[ib]|s[eu]|ku)[a-z])")


def tidy(text: str) -> str:
    """Single spaces, capitals at sentence starts, `an` before a vowel, verbs that agree with `they`."""
    text = _SPACES.sub(" ", text).strip()
    text = _ARTICLE.sub(r"\1n ", text)
    text = _INVERTED_THEY.sub(lambda match: f"{_agree(match[1])} they", text)
    text = _THEY_VERB.sub(lambda match: f"{match[1]} {_agree(match[2])}", text)
    return _SENTENCE.sub(lambda match: match[1] + match[2].upper(), text)


def label(source: str, scene: Scene) -> str:
    """A step's label: digits only, first letter capital, but a variable as it is."""
    text = compiled(source)(scene) if "{" in source else source
    if source == "{v}":
        return text
    return text[0].upper() + text[1:]
