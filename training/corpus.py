"""Training text as token shards on disk.

A sequence is <bos> + problem + newline + each line + newline + <eos>. A shard is one .npz with the
flattened tokens, where each sequence starts, and how long its problem part is. Shards are written
by worker processes while the trainer already reads the first ones: two cores have to do both.

`python -m training.corpus --work training/out/pocket --shards 8 --size 50000`
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from dataclasses import dataclass
from multiprocessing import Process
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from .files import RunFiles
from .grammar.generate import make_problem, write_solution
from .human import Worked, default_folder, read_human
from .tokenizer import BOS, CONTEXT, EOS, encode_texts, load_tokenizer, save_tokenizer, train_tokenizer

# Share of sequences written by people. They are longer, so their share of tokens is near 9%.
HUMAN_SHARE = 0.045
HELD_OUT_SEED = 7_000_001
TOKENIZER_PROBLEMS = 20_000


@dataclass
class Sequences:
    """Token sequences: `tokens` [total] uint16, `starts` [n + 1], `problem` [n] tokens before the
    first solution token (bos, problem and newline)."""

    tokens: np.ndarray
    starts: np.ndarray
    problem: np.ndarray

    def __len__(self) -> int:
        return len(self.problem)

    def lengths(self) -> np.ndarray:
        return np.diff(self.starts)

    def save(self, path: Path) -> None:
        # Written under another name first: a reader never sees half a shard.
        temporary = path.with_suffix(".tmp.npz")
        np.savez(temporary, tokens=self.tokens, starts=self.starts, problem=self.problem)
        os.replace(temporary, path)

    @staticmethod
    def load(path: Path) -> "Sequences":
        with np.load(path) as data:
            return Sequences(data["tokens"], data["starts"], data["problem"])


def problem_text(problem: str) -> str:
    return problem + "\n"


def solution_text(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def encode_solution(tokenizer: Tokenizer, problem: str, lines: list[str]) -> tuple[list[int], list[int]]:
    """Token ids of a problem with its solution, and the positions of the newlines that end its steps."""
    tokens, ends = [BOS, *encode_texts(tokenizer, [problem_text(problem)])[0]], []
    for ids in encode_texts(tokenizer, [line + "\n" for line in lines]):
        tokens.extend(ids)
        ends.append(len(tokens) - 1)
    return tokens, ends


def encode_worked(tokenizer: Tokenizer, worked: list[Worked], context: int = CONTEXT) -> Sequences:
    """Encode worked problems; those longer than the context are left out."""
    problems = encode_texts(tokenizer, [problem_text(problem) for problem, _ in worked])
    solutions = encode_texts(tokenizer, [solution_text(lines) for _, lines in worked])
    tokens: list[int] = []
    starts, lengths = [0], []
    for problem, solution in zip(problems, solutions):
        if len(problem) + len(solution) + 2 > context:
            continue
        tokens.extend((BOS, *problem, *solution, EOS))
        starts.append(len(tokens))
        lengths.append(len(problem) + 1)
    return Sequences(
        np.array(tokens, dtype=np.uint16), np.array(starts, dtype=np.int64), np.array(lengths, dtype=np.int32)
    )


def length_groups(lengths: np.ndarray, batch_tokens: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Indices of rows of similar length, each group about `batch_tokens` tokens when padded; the groups are shuffled."""
    order = np.argsort(lengths + rng.uniform(0, 6, len(lengths)))
    groups, start = [], 0
    while start < len(order):
        end = start + 1
        longest = lengths[order[start]]
        while end < len(order):
            longest = max(longest, lengths[order[end]])
            if longest * (end + 1 - start) > batch_tokens:
                break
            end += 1
        groups.append(order[start:end])
        start = end
    return [groups[index] for index in rng.permutation(len(groups))]


def make_worked(rng: random.Random, count: int, human: list[Worked], banned: frozenset[str]) -> list[Worked]:
    """Fresh grammar problems with a share of human ones; never a held-out text."""
    worked: list[Worked] = []
    while len(worked) < count:
        if human and rng.random() < HUMAN_SHARE:
            worked.append(rng.choice(human))
            continue
        problem = make_problem(rng)
        if problem.text not in banned:
            worked.append((problem.text, write_solution(problem, rng)))
    return worked


def held_out_texts(paths: list[Path]) -> frozenset[str]:
    """Problem texts that training must never see."""
    texts: set[str] = set()
    for path in paths:
        if path.exists():
            texts.update(json.loads(line)["problem"] for line in path.read_text().split("\n") if line)
    return frozenset(texts)


def build_tokenizer(folder: Path, human: list[Worked], problems: int = TOKENIZER_PROBLEMS, seed: int = 11) -> Tokenizer:
    """Train the tokenizer on grammar text and the human text, and save it."""
    rng = random.Random(seed)
    worked = make_worked(rng, problems, [], frozenset()) + human
    tokenizer = train_tokenizer(problem_text(problem) + solution_text(lines) for problem, lines in worked)
    save_tokenizer(tokenizer, folder)
    return tokenizer


def shard_path(work: RunFiles, index: int) -> Path:
    return work.root / "corpus" / f"shard-{index:03d}.npz"


def write_shards(
    work: RunFiles, indices: list[int], size: int, human: list[Worked], banned: frozenset[str], seed: int
) -> None:
    tokenizer = load_tokenizer(work.tokenizer)
    for index in indices:
        path = shard_path(work, index)
        if path.exists():
            continue
        started = time.monotonic()
        worked = make_worked(random.Random(seed * 1000 + index), size, human, banned)
        shard = encode_worked(tokenizer, worked)
        shard.save(path)
        print(
            f"shard {index}: {len(shard)} sequences, {len(shard.tokens)} tokens, "
            f"{time.monotonic() - started:.0f} s",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--human", type=Path, default=default_folder())
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--size", type=int, default=50_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--banned", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    work = RunFiles(options.work)
    (work.root / "corpus").mkdir(parents=True, exist_ok=True)
    human = read_human(options.human)
    if not (work.tokenizer / "tokenizer.json").exists():
        build_tokenizer(work.tokenizer, human)
    banned = held_out_texts(options.banned)
    workers = []
    for worker in range(options.processes):
        indices = list(range(options.first + worker, options.first + options.shards, options.processes))
        arguments = (work, indices, options.size, human, banned, options.seed)
        workers.append(Process(target=write_shards, args=arguments))
        workers[-1].start()
    for process in workers:
        process.join()


if __name__ == "__main__":
    main()
