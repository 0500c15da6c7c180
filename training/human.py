"""Problems that people wrote, turned into the same line-by-line form as the grammar's.

GSM8K and SVAMP training sets (MIT licence). Only files named `*-train.jsonl` are ever opened.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

# One worked problem: its text and its solution lines (the last is `Answer: ...`).
Worked = tuple[str, list[str]]

_CALCULATOR = re.compile(r"<<[^<>]*>>")
_SPACED_OPERATOR = re.compile(r"\s*([=*/+])\s*(?=[\d$(])")


def default_folder() -> Path:
    return Path(__file__).resolve().parents[2] / "shared" / "data" / "problems"


def tidy_number(text: str) -> str:
    """`46.0` -> `46`; `1,200` -> `1200`."""
    text = text.replace(",", "").strip()
    return text[:-2] if text.endswith(".0") else text


def gsm8k_lines(solution: str, answer: str) -> list[str]:
    """One sentence per line, calculator marks removed, `Answer: N` last."""
    lines = []
    for line in _CALCULATOR.sub("", solution).split("\n"):
        line = _SPACED_OPERATOR.sub(r"\1", line.strip())
        if line:
            lines.append(line)
    return [*lines, f"Answer: {tidy_number(answer)}"]


def svamp_lines(equation: str, answer: str) -> list[str]:
    """The equation as one step: `Result: 46-43=3`."""
    text = re.sub(r"(\d+)\.0\b", r"\1", equation).replace(" ", "")
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    answer = tidy_number(answer)
    return [f"Result: {text}={answer}", f"Answer: {answer}"]


def read_human(folder: Path) -> list[Worked]:
    """All worked problems of the training files, or none (with a message) when absent."""
    worked: list[Worked] = []
    for name in ("gsm8k-train.jsonl", "svamp-train.jsonl"):
        path = folder / name
        if not path.exists():
            print(f"human text: {name} not found, skipped")
            continue
        for row in map(json.loads, filter(None, path.read_text().split("\n"))):
            problem = " ".join(row["problem"].split())
            if "solution" in row:
                lines = gsm8k_lines(row["solution"], row["answer"])
            else:
                lines = svamp_lines(row["equation"], row["answer"])
            worked.append((problem, lines))
    return worked
