"""From the package to static-models/standard.

    python -m training.standard.make        about three and a half hours on two CPU cores; uses a GPU for the trunk if there is one

It can be stopped and given again: each stage is skipped when its result is in training/out/standard/ (not in git), and
the trunk goes on from its last checkpoint.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import torch

from ..corpus import make_worked, problem_text, solution_text
from ..export import FusedModel, load_trunk, load_verifier, this_machine
from ..feature_cache import FeatureCache
from ..files import REPOSITORY, write_json
from ..heldout import held_out_texts
from ..label import Labelled
from ..model import Verifier, VerifierConfig, exit_of
from ..tokenizer import load_tokenizer, save_tokenizer
from ..train_verifier import calibrate_both, logits_of, save_verifier, train_verifiers
from .export import export_standard
from .pretrained import download, make_trunk, pruned_ids, pruned_tokenizer, read_pretrained
from .reworked import HumanProblem, as_worked, read_people
from .samples import asked_problems, sample_labelled
from .text import TrainingText
from .train import fine_tune


@dataclass(frozen=True)
class Recipe:
    """Sizes of one run."""

    minutes: float = 165
    steps: int | None = None
    # Problems whose samples the verifiers learn from, of SVAMP, GSM8K and the grammar: those that an earlier snapshot of
    # the trunk answers, whose mistakes are of other kinds, and those of the finished trunk; and how many samples each.
    asked_earlier: tuple[int, int, int] = (420, 60, 0)
    asked: tuple[int, int, int] = (700, 60, 440)
    lanes: int = 6
    part: int = 80
    temperature: float = 1.0
    # heads x head_dim is the trunk's, so that all caches have one shape.
    verifier: VerifierConfig = VerifierConfig(width=192, blocks=2, heads=3, head_dim=64, mlp=512)
    verifier_minutes: float = 6
    verifier_steps: int | None = None
    verifier_batch: int = 4_096
    compiled: bool = True


# Every eighth human problem is kept from the generator, for the verifiers: on problems it learned by heart it makes
# no mistakes that could teach them.
KEPT_BACK = 8


def split_people(people: list[HumanProblem]) -> tuple[list[HumanProblem], list[HumanProblem]]:
    """(for the generator, for the verifiers)"""
    return (
        [problem for index, problem in enumerate(people) if index % KEPT_BACK],
        [problem for index, problem in enumerate(people) if index % KEPT_BACK == 0],
    )


def make_start(work: Path) -> None:
    """The pruned tokenizer and the pretrained trunk over it, in `work`."""
    if (work / "start.pt").exists():
        return
    source = read_pretrained(download(work / "package"))
    worked = [*map(as_worked, read_people()), *make_worked(random.Random(5), 8_000, [], frozenset())]
    kept = pruned_ids(source, (problem_text(problem) + solution_text(lines) for problem, lines in worked))
    save_tokenizer(pruned_tokenizer(source, kept), work / "tokenizer")
    trunk = make_trunk(source, kept)
    torch.save({"config": trunk.config.to_json(), "weights": trunk.state_dict()}, work / "start.pt")


def make_generator(work: Path, recipe: Recipe) -> None:
    """Fine-tunes the trunk, or goes on from its checkpoint."""
    for_generator, _ = split_people(read_people())
    text = TrainingText(load_tokenizer(work / "tokenizer"), for_generator, held_out_texts())
    trunk = load_trunk(work / "start.pt")
    state = fine_tune(trunk, text, work, recipe.minutes * 60, max_steps=recipe.steps, compiled=recipe.compiled)
    write_json(work / "trained.json", state)


def make_samples(work: Path, recipe: Recipe) -> None:
    """Labelled solutions of the finished trunk."""
    path = work / "labelled.pt"
    if path.exists():
        return
    met, kept_back = split_people(read_people())
    tokenizer = load_tokenizer(work / "tokenizer")
    snapshots = sorted(work.glob("trunk-*k.pt"))
    rows: list[Labelled] = []
    started = time.monotonic()
    for stage, trunk_path, counts, first in (
        ("earlier", snapshots[len(snapshots) // 2] if snapshots else work / "trunk.pt", recipe.asked_earlier, -1),
        ("finished", work / "trunk.pt", recipe.asked, -1_000_001),
    ):
        trunk = load_trunk(trunk_path)
        readout = exit_of(trunk, trunk.config.layers)
        asked = asked_problems(kept_back, met, counts, random.Random(stage), first)
        # In parts, so that what was sampled is not lost with a run that is stopped.
        for number, start in enumerate(range(0, len(asked), recipe.part)):
            part = work / f"labelled-{stage}-{number:03d}.pt"
            if not part.exists():
                problems = asked[start : start + recipe.part]
                write_labelled(part, sample_labelled(readout, tokenizer, problems, recipe.lanes, recipe.temperature, number))
            some = read_labelled(part)
            rows += some
            right = sum(row.outcome for row in some) / max(1, len(some))
            print(f"{stage}: {len(rows)} samples, {right:.2f} of the last right, {time.monotonic() - started:.0f} s", flush=True)
    write_labelled(path, rows)


def write_labelled(path: Path, rows: list[Labelled]) -> None:
    torch.save([asdict(row) for row in rows], path)


def read_labelled(path: Path) -> list[Labelled]:
    return [Labelled(**row) for row in torch.load(path, weights_only=True)]


def make_verifiers(work: Path, recipe: Recipe, seed: int = 0) -> None:
    """The PRM and the ORM on the frozen trunk; every tenth problem's solutions calibrate them."""
    if (work / "orm.pt").exists():
        return
    trunk = load_trunk(work / "trunk.pt")
    rows = read_labelled(work / "labelled.pt")
    seeds = sorted({row.seed for row in rows})
    apart = set(random.Random(3).sample(seeds, max(1, len(seeds) // 10)))
    train_rows = [row for row in rows if row.seed not in apart]
    print(f"{len(rows)} labelled solutions, {sum(row.outcome for row in rows) / len(rows):.3f} right", flush=True)
    cache = FeatureCache(trunk)
    started = time.monotonic()
    cache.fill(train_rows, recipe.verifier_batch)
    print(f"what the verifiers read is there, {time.monotonic() - started:.0f} s", flush=True)
    prm, orm, _ = train_verifiers(
        trunk,
        train_rows,
        recipe.verifier_minutes * 60,
        config=recipe.verifier,
        batch_tokens=recipe.verifier_batch,
        seed=seed,
        compiled=recipe.compiled,
        max_steps=recipe.verifier_steps,
        log=work / "verifier.jsonl",
        checkpoint=work / "verifiers-checkpoint.pt",
        features_of=cache,
    )
    held = [row for row in rows if row.seed in apart]
    outputs = logits_of(trunk, [prm, orm], held)
    calibrate_both(prm, orm, held, outputs)
    report(held, outputs, (prm, orm))
    for kind, verifier in (("prm", prm), ("orm", orm)):
        save_verifier(work / f"{kind}.pt", verifier)


def report(rows: list[Labelled], outputs: list[list[list[float]]], verifiers: tuple[Verifier, Verifier]) -> None:
    """Best of the lanes on the problems that calibrated, to watch training by."""
    groups: dict[int, list[tuple[float, float, int]]] = {}
    for row, (steps, outcome) in zip(rows, outputs):
        prm, orm = verifiers
        product = sum(math.log(1 / (1 + math.exp(-(x * float(prm.scale) + float(prm.shift))))) for x in steps)
        groups.setdefault(row.seed, []).append((product, outcome[-1] * float(orm.scale), row.outcome))
    mean = lambda pick: sum(map(pick, groups.values())) / max(1, len(groups))  # noqa: E731
    print(
        f"{len(groups)} problems: mean sample {mean(lambda g: sum(r for *_, r in g) / len(g)):.3f},"
        f" best by PRM {mean(lambda g: max(g)[2]):.3f}, by ORM {mean(lambda g: max(g, key=lambda each: each[1])[2]):.3f},"
        f" any right {mean(lambda g: max(r for *_, r in g)):.3f}",
        flush=True,
    )


def load_model(work: Path) -> FusedModel:
    trunk = load_trunk(work / "trunk.pt")
    trained = json.loads((work / "trained.json").read_text())
    return FusedModel(
        trunk,
        None,
        load_verifier(work / "prm.pt", trunk.config),
        load_verifier(work / "orm.pt", trunk.config),
        load_tokenizer(work / "tokenizer"),
        {
            "machine": this_machine(),
            "wallSeconds": round(trained["seconds"]),
            "trainedTokens": trained["tokens"],
        },
    ).eval()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=REPOSITORY / "training/out/standard")
    parser.add_argument("--out", type=Path, default=REPOSITORY / "static-models")
    parser.add_argument("--minutes", type=float, default=Recipe.minutes, help="of the generator's training")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    recipe = replace(Recipe(), minutes=options.minutes)
    make_start(options.work)
    if not (options.work / "trained.json").exists():
        make_generator(options.work, recipe)
    make_samples(options.work, recipe)
    make_verifiers(options.work, recipe)
    export_standard(load_model(options.work), options.out, Path(__file__).with_name("LICENSE"))


if __name__ == "__main__":
    main()
