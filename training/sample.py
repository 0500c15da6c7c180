"""Sample solutions from a readout of the trunk, many problems in one batch.

Each row is {"seed", "source", "lines"}: the seed draws the problem again, `source` says which trunk, readout and
temperature wrote the lines. A line that the token limit cut is left out.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor

from .corpus import problem_text
from .export import load_sampler, load_trunk
from .grammar.generate import make_problem
from .heldout import held_out_texts
from .model import MASKED, Readout, exit_of
from .precision import quick_products
from .tokenizer import BOS, EOS, PAD, encode_texts

MAX_NEW_TOKENS = 200
# Problems for the verifiers: other seeds than any held-out problem's, checked by text besides.
FIRST_SEED = 9_000_000


@dataclass(frozen=True)
class Source:
    """What writes samples: a sampler, or an exit of the trunk by its depth, at a temperature."""

    trunk: Path
    readout: Path | int
    temperature: float

    def name(self) -> str:
        readout = self.readout if isinstance(self.readout, int) else self.readout.stem
        return f"{self.trunk.stem}@{readout} T={self.temperature:g}"

    def load(self) -> Readout:
        trunk = load_trunk(self.trunk)
        if isinstance(self.readout, int):
            return exit_of(trunk, self.readout)
        return load_sampler(self.readout, trunk.config).readout(trunk)


class CachedReadout:
    """Decodes with a cache. Rows are left-padded, so that all of them append at the same column."""

    def __init__(self, readout: Readout) -> None:
        self.readout, self.trunk = readout, readout.trunk
        self.keys: list[Tensor] = []
        self.values: list[Tensor] = []
        self.live = torch.zeros(0)

    def prefill(self, ids: Tensor, live: Tensor) -> Tensor:
        """Logits [B, V] after left-padded prompts ids [B, P] with live [B, P] in {0, 1}."""
        self.keys, self.values, self.live = [], [], live
        length = ids.shape[1]
        positions = (live.cumsum(1) - 1).clamp(min=0)
        seen = torch.ones(length, length).tril() * live.unsqueeze(1)
        return self._run(ids, positions, (1 - seen).unsqueeze(1) * MASKED)

    def step(self, tokens: Tensor) -> Tensor:
        """Logits [B, V] after one more token per row, tokens [B]."""
        positions = self.live.sum(1, keepdim=True)
        self.live = torch.cat((self.live, torch.ones(len(tokens), 1)), 1)
        return self._run(tokens.unsqueeze(1), positions, (1 - self.live)[:, None, None] * MASKED)

    def keep(self, rows: Tensor) -> None:
        self.keys = [part[rows] for part in self.keys]
        self.values = [part[rows] for part in self.values]
        self.live = self.live[rows]

    def _run(self, ids: Tensor, positions: Tensor, bias: Tensor) -> Tensor:
        rope = self.trunk.rope(positions)
        x = self.trunk.embedding(ids)
        for index, layer in enumerate(self.readout.layers):
            queries, keys, values = layer.project(x, rope)
            if index < len(self.keys):
                keys = torch.cat((self.keys[index], keys), 2)
                values = torch.cat((self.values[index], values), 2)
                self.keys[index], self.values[index] = keys, values
            else:
                self.keys.append(keys)
                self.values.append(values)
            x = layer.finish(x, layer.attend(queries, keys, values, bias))
        return self.trunk.unembed(self.readout.norm(x[:, -1])).float()


@torch.no_grad()
def sample_tokens(
    readout: Readout,
    prompts: list[list[int]],
    temperature: float,
    rng: torch.Generator,
    limit: int = MAX_NEW_TOKENS,
    lanes: int = 1,
) -> list[list[int]]:
    """New tokens of `lanes` rows for each prompt, one prompt's rows after another, without the end token.
    Temperature 0 is greedy. Each prompt is read once."""
    longest = max(map(len, prompts))
    ids = torch.tensor([[PAD] * (longest - len(row)) + row for row in prompts])
    live = torch.tensor([[0.0] * (longest - len(row)) + [1.0] * len(row) for row in prompts])
    written: list[list[int]] = [[] for _ in prompts for _ in range(lanes)]
    rows = list(range(len(written)))
    # Rows that ended stay in the batch until enough have: dropping rows copies the whole cache.
    ended: set[int] = set()
    cached = CachedReadout(readout)
    with quick_products():
        logits = cached.prefill(ids, live)
        if lanes > 1:
            each = torch.arange(len(prompts)).repeat_interleave(lanes)
            cached.keep(each)
            logits = logits[each]
        for _ in range(limit):
            if temperature == 0:
                tokens = logits.argmax(-1)
            else:
                noise = torch.rand(logits.shape, generator=rng).clamp(min=1e-10)
                tokens = (logits / temperature - (-noise.log()).log()).argmax(-1)  # Gumbel-max
            alive = [place for place, token in enumerate(tokens.tolist()) if token != EOS and rows[place] not in ended]
            ended.update(set(rows) - {rows[place] for place in alive})
            for place in alive:
                written[rows[place]].append(int(tokens[place]))
            if not alive:
                break
            if len(alive) <= 0.7 * len(rows):
                chosen = torch.tensor(alive)
                cached.keep(chosen)
                rows, tokens = [rows[place] for place in alive], tokens[chosen]
            logits = cached.step(tokens)
    return written


def lines_of(tokenizer: Tokenizer, tokens: list[int]) -> list[str]:
    """The finished lines; what follows the last newline is dropped."""
    return tokenizer.decode(tokens, skip_special_tokens=True).split("\n")[:-1]


def sample_lines(
    readout: Readout,
    tokenizer: Tokenizer,
    problems: list[str],
    lanes: int,
    temperature: float,
    seed: int,
    batch_rows: int = 512,
) -> list[list[list[str]]]:
    """For each problem the lines of each of its lanes."""
    prompts = [[BOS, *ids] for ids in encode_texts(tokenizer, [problem_text(problem) for problem in problems])]
    # Similar lengths together: padding is work.
    order = sorted(range(len(prompts)), key=lambda index: len(prompts[index]))
    rng = torch.Generator().manual_seed(seed)
    result: list[list[list[str]]] = [[] for _ in problems]
    per_batch = max(1, batch_rows // lanes)
    for start in range(0, len(order), per_batch):
        chosen = order[start : start + per_batch]
        rows = [prompts[index] for index in chosen]
        for place, tokens in enumerate(sample_tokens(readout, rows, temperature, rng, lanes=lanes)):
            result[chosen[place // lanes]].append(lines_of(tokenizer, tokens))
    return result


def training_problems(count: int, first: int = FIRST_SEED) -> Iterator[tuple[int, str]]:
    """Seeds and texts of problems of the trained families, none of them held out."""
    banned = held_out_texts()
    seed = first
    while count > 0:
        problem = make_problem(random.Random(seed))
        if problem.text not in banned:
            yield seed, problem.text
            count -= 1
        seed += 1


def sample_for_training(
    tokenizer: Tokenizer, source: Source, problems: list[tuple[int, str]], lanes: int, seed: int = 0, chunk: int = 250
) -> list[dict[str, Any]]:
    """Rows of `lanes` samples for each (seed, text) of `problems`."""
    readout = source.load()
    rows: list[dict[str, Any]] = []
    started = time.monotonic()
    for number, start in enumerate(range(0, len(problems), chunk)):
        part = problems[start : start + chunk]
        solutions = sample_lines(
            readout, tokenizer, [text for _, text in part], lanes, source.temperature, seed * 1000 + number
        )
        for (problem_seed, _), written in zip(part, solutions):
            rows.extend({"seed": problem_seed, "source": source.name(), "lines": lines} for lines in written)
    print(f"{source.name()}: {len(rows)} samples, {time.monotonic() - started:.0f} s", flush=True)
    return rows
