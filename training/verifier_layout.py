"""How a verifier's input is laid out in tokens; the same as the page's src/scoring/verifier-layout.ts.

Layouts are data in the page's own form, and filled in as the page fills them in, so that what is compared with PyTorch
is what the page will read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

# Letters only, so that no template escapes or trims them.
MARKS = ("qaaaq", "qbbbq", "qcccq", "qdddq")
PIECE = re.compile(r"\{(problem(?::line)?|step|number|bos|chat:(?:open|reply|next|answer|end))\}")

Layout = dict[str, Any]
Render = Callable[[list[dict[str, str]]], str]


@dataclass(frozen=True)
class Reading:
    """Tokens for judging a step or a solution; the score stands at the last one of stem + probe."""

    stem: list[int]
    probe: list[int]

    @property
    def tokens(self) -> list[int]:
        return [*self.stem, *self.probe]


class LayoutTokenizer:
    """A folder's tokenizer.json, and what its chat template puts around texts."""

    def __init__(self, tokenizer: Tokenizer, bos: str, chat: dict[str, str] | None, special: list[str]) -> None:
        self._tokenizer = tokenizer
        self._special = special
        self.bos = bos
        self.chat = chat

    @staticmethod
    def load(folder: Path) -> "LayoutTokenizer":
        from transformers import AutoTokenizer

        file = folder / "tokenizer.json"
        if not file.exists():
            raise FileNotFoundError("The model has no tokenizer.json; save it once with transformers' save_pretrained.")
        loaded = AutoTokenizer.from_pretrained(folder)
        # White space may be a token of its own; it does no harm.
        added = [token["content"] for token in json.loads(file.read_text())["added_tokens"]]
        return LayoutTokenizer(
            Tokenizer.from_file(str(file)),
            loaded.bos_token or "",
            # Llama's templates state the day; the page gives them this one, so that a run reads the same on any day.
            chat_frames(lambda messages: loaded.apply_chat_template(messages, tokenize=False, date_string="26 Jul 2024")),
            [text for text in added if text.strip()],
        )

    def encode(self, text: str) -> list[int]:
        return self._tokenizer.encode(text, add_special_tokens=False).ids

    def decode(self, tokens: list[int]) -> str:
        return self._tokenizer.decode(tokens)

    def neutralise(self, text: str) -> str:
        """The text without anything that is read as a special token."""
        # Part of no special text, so that none comes about by taking another one apart.
        candidates = (" ", *map(chr, range(0xB7, 0x2000)))
        separator = next(each for each in candidates if not any(each in token for token in self._special))
        for token in self._special:
            apart = separator if len(token) == 1 else token[0] + separator + token[1:]
            # Where two of them overlap, the second is still whole after the first round.
            while token in text:
                text = text.replace(token, apart)
        return text

    def fill(self, piece: str, problem: str, step: str, number: int) -> str:
        def value(match: re.Match[str]) -> str:
            name = match[1]
            if name == "problem":
                return self.neutralise(problem.strip())
            if name == "problem:line":
                return self.neutralise(re.sub(r"\s+", " ", problem).strip())
            if name == "step":
                return self.neutralise(step)
            if name == "number":
                return str(number)
            if name == "bos":
                return self.bos
            if self.chat is None:
                raise ValueError("This model reads a conversation, but its tokenizer has no chat template.")
            return self.chat[name.removeprefix("chat:")]

        return PIECE.sub(value, piece)


def chat_frames(render: Render) -> dict[str, str] | None:
    """The text before, between and after what a conversation says; `None` if a template changes or leaves out some."""
    long = _around(render, MARKS)
    # Templates may treat the last answer in another way: thoughts stand before that one only.
    short = _around(render, MARKS[:2])
    if long is None or short is None:
        return None
    opening, reply, following, *_ = long
    _, answer, end = short
    return {"open": opening, "reply": reply, "next": following, "answer": answer, "end": end}


def _around(render: Render, marks: tuple[str, ...]) -> list[str] | None:
    try:
        text = render([{"role": role, "content": mark} for role, mark in zip(("user", "assistant") * 2, marks)])
    except Exception:  # noqa: BLE001 - templates raise what they like, and there may be none
        return None
    pattern = "|".join(MARKS)
    return re.split(pattern, text) if re.findall(pattern, text) == list(marks) else None


def lay_out(layout: Layout, tokenizer: LayoutTokenizer, problem: str, steps: list[str]) -> Reading:
    """The tokens for judging the last of some steps, after those before it; or, where solutions are read, all."""
    pieces: list[str] = []

    def add(templates: list[str], number: int) -> None:
        step = steps[number - 1] if number > 0 else ""
        pieces.extend(tokenizer.fill(template, problem, step, number) for template in templates)

    add(layout["prompt"], 0)
    for number in range(1, len(steps) + 1):
        if number > 1:
            add(layout["between"], number)
        add(layout.get("first", layout["step"]) if number == 1 else layout["step"], number)
    stem = _encode(pieces, layout["joined"], tokenizer)
    if not layout["probe"]:
        return Reading(stem, [])
    stems = len(pieces)
    add(layout["probe"], len(steps))
    if not layout["joined"]:
        return Reading(stem, _encode(pieces[stems:], False, tokenizer))
    whole = _encode(pieces, True, tokenizer)
    # A probe whose beginning melts into the step is read from the place where the two part.
    shared = 0
    while shared < min(len(stem), len(whole)) and stem[shared] == whole[shared]:
        shared += 1
    return Reading(stem[:shared], whole[shared:])


def readings(adapter: dict[str, Any], tokenizer: LayoutTokenizer, problem: str, steps: list[str]) -> list[Reading]:
    """One for each score that a solution gets: each step's, or the solution's alone."""
    first = 1 if adapter["reads"] == "steps" else len(steps)
    return [lay_out(adapter["layout"], tokenizer, problem, steps[:end]) for end in range(first, len(steps) + 1)]


def _encode(pieces: list[str], joined: bool, tokenizer: LayoutTokenizer) -> list[int]:
    if joined:
        return tokenizer.encode("".join(pieces))
    return [token for piece in pieces if piece for token in tokenizer.encode(piece)]
