"""What the shipped files compute for 20 prompts, for the browser to be compared with.

`python -m training.parity` writes tests/fixtures/parity.json: for each prompt its token ids, and for each variant the
five highest logits and both rewards at the last position, by ONNX Runtime on this machine's CPU; and the same of the
unquantised model in PyTorch, by which the cost of quantisation is bounded too.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import torch
from tokenizers import Tokenizer

from .canary import run_whole
from .corpus import encode_solution
from .export import load_sampler, load_trunk, load_verifier
from .files import REPOSITORY, RunFiles, read_jsonl, sha256, write_json
from .heldout import IN_RANGE, problem_of
from .grammar.generate import write_plan
from .model import reference_outputs

FIXTURE = REPOSITORY / "tests" / "fixtures" / "parity.json"
PROMPTS = 20
TOP = 5


def cases(tokenizer: Tokenizer) -> list[dict[str, Any]]:
    """A problem with none, some or all of the lines of its solution, in turn."""
    result = []
    for index, row in enumerate(read_jsonl(IN_RANGE)[:PROMPTS]):
        problem = problem_of(row)
        lines = write_plan(problem, problem.plans[0])
        lines = lines[: index % (len(lines) + 1)]
        tokens, _ = encode_solution(tokenizer, problem.text, lines)
        result.append({"problem": problem.text, "lines": lines, "tokens": tokens})
    return result


def compute(model: Path, given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    session = onnxruntime.InferenceSession(str(model))
    computed = []
    for case in given:
        outputs = run_whole(session, [case["tokens"]])
        computed.append(_last(outputs["logits"][0, -1], outputs["rewards"][0, -1]))
    return computed


def compute_in_torch(work: RunFiles, given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    trunk = load_trunk(work.generator)
    sampler = load_sampler(work.sampler, trunk.config)
    prm, orm = (load_verifier(work.verifier(kind), trunk.config) for kind in ("prm", "orm"))
    computed = []
    for case in given:
        logits, rewards = reference_outputs(trunk, sampler, prm, orm, torch.tensor([case["tokens"]]))
        computed.append(_last(logits[0, -1].numpy(), rewards[0, -1].numpy()))
    return computed


def _last(logits: np.ndarray, rewards: np.ndarray) -> dict[str, Any]:
    top = np.argsort(-logits)[:TOP]
    return {
        "top": [[int(token), round(float(logits[token]), 4)] for token in top],
        "rewards": [round(float(reward), 5) for reward in rewards],
    }


def main() -> None:
    folder = REPOSITORY / "static-models"
    manifest = json.loads((folder / "manifest.json").read_text())
    model = manifest["models"][0]
    tokenizer = Tokenizer.from_file(str(folder / model["id"] / "tokenizer.json"))
    given = cases(tokenizer)
    variants = {
        variant["dtype"]: {"sha256": sha256(folder / variant["file"]), "outputs": compute(folder / variant["file"], given)}
        for variant in model["variants"]
    }
    unquantised = compute_in_torch(RunFiles(REPOSITORY / "training" / "out" / model["id"]), given)
    write_json(FIXTURE, {"model": model["id"], "cases": given, "variants": variants, "unquantised": unquantised})


if __name__ == "__main__":
    main()
