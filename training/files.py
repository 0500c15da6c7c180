"""Where a run keeps its files, and small helpers for JSON and hashes."""

from __future__ import annotations

import hashlib
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class RunFiles:
    """The working folder of one pipeline run (ignored by git)."""

    root: Path

    @property
    def tokenizer(self) -> Path:
        return self.root / "tokenizer"

    @property
    def corpus(self) -> Path:
        return self.root / "corpus.npz"

    @property
    def generator(self) -> Path:
        return self.root / "generator.pt"

    @property
    def snapshots(self) -> Path:
        return self.root / "snapshots"

    @property
    def sampler(self) -> Path:
        return self.root / "sampler.pt"

    @property
    def earlier_sampler(self) -> Path:
        return self.root / "sampler-earlier.pt"

    def samples(self, name: str) -> Path:
        return self.root / f"samples-{name}.jsonl"

    def verifier(self, kind: str) -> Path:
        return self.root / f"{kind}.pt"


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().split("\n") if line]


def write_jsonl(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def write_json(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def commit() -> str:
    """The commit this was made from, or "uncommitted"."""
    result = subprocess.run(
        ["git", "rev-parse", "--verify", "-q", "HEAD"], cwd=REPOSITORY, capture_output=True, text=True
    )
    return result.stdout.strip() or "uncommitted"
