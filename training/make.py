"""The whole pipeline: from nothing to static-models/.

    python -m training.make            about two and a half hours on two CPU cores
    python -m training.make --toy      a minute: every stage at toy size, into a temporary folder, checked

Stages write into training/out/<name> and are skipped when their result is there, so an interrupted run goes on where
it was when the command is given again.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from dataclasses import dataclass
from itertools import islice
from multiprocessing import Process
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import torch
from tokenizers import Tokenizer

from .canary import make_canary, run_whole
from .corpus import build_tokenizer, encode_solution, write_shards
from .export import MODEL_ID, FusedModel, export_files, load_sampler, load_trunk, load_verifier, this_machine, write_manifest
from .files import REPOSITORY, RunFiles, read_jsonl, write_json, write_jsonl
from .heldout import IN_RANGE, choosing, held_out_texts
from .human import default_folder, read_human
from .label import label_rows
from .measure import measure_sampler, measure_verifiers
from .model import Sampler, Trunk, TrunkConfig, Verifier, VerifierConfig, reference_outputs
from .sample import Source, sample_for_training, training_problems
from .tokenizer import load_tokenizer
from .train_generator import train
from .train_sampler import train_sampler
from .train_verifier import calibrate_both, logits_of, save_verifier, train_verifiers


@dataclass(frozen=True)
class Recipe:
    """Sizes of one run of the pipeline."""

    trunk: TrunkConfig = TrunkConfig()
    verifier: VerifierConfig = VerifierConfig()
    shards: int = 10
    shard_size: int = 50_000
    tokenizer_problems: int = 20_000
    generator_minutes: float = 85
    generator_steps: int | None = None
    # The sampler: how many of the trunk's layers it shares, and how many tokens of text it sees. So few that at T=1 about
    # 40% of its solutions are wrong, and wrong in the same way often enough for a vote to be lost. The temperature is
    # folded into its weights.
    sampler_depth: int = 2
    sampler_tokens: float = 2.4e6
    sampler_temperature: float = 1.2
    # What writes the verifiers' training samples: the finished trunk ("final") or the snapshot halfway to it
    # ("earlier"), with the sampler, the sampler as it was halfway, or an exit by its depth; the temperature, and for how
    # many problems. The sampler itself comes most often; the others keep the verifiers from knowing only its mistakes.
    sources: tuple[tuple[str, str | int, float, int], ...] = (
        ("final", "sampler", 0.83, 2_000),
        ("final", "sampler", 1.08, 500),
        ("final", "sampler", 0.58, 500),
        ("final", "earlier sampler", 0.83, 500),
        ("final", 3, 1.2, 500),
        ("final", 4, 1.0, 500),
        ("earlier", 4, 1.0, 500),
        ("final", "sampler", 0.83, 5_000),
    )
    lanes: int = 8
    verifier_minutes: float = 50
    verifier_steps: int | None = None
    compiled: bool = True


TOY = Recipe(
    trunk=TrunkConfig(width=64, layers=3, heads=4, kv_heads=4, head_dim=8, mlp=128, exits=(1, 2)),
    verifier=VerifierConfig(width=32, blocks=1, heads=4, head_dim=8, mlp=64),
    shards=1,
    shard_size=1_500,
    tokenizer_problems=1_500,
    generator_minutes=2,
    generator_steps=40,
    sampler_depth=1,
    sampler_tokens=60_000,
    sources=(("final", "sampler", 1.0, 16), ("final", 2, 1.0, 8)),
    lanes=2,
    verifier_minutes=2,
    verifier_steps=8,
    compiled=False,
)


def make(recipe: Recipe, work: RunFiles, out: Path, seed: int = 0) -> dict[str, Any]:
    """Runs the stages that are not done yet and writes the models. Returns the manifest."""
    started = time.monotonic()
    make_text(recipe, work)
    trained = make_generator(recipe, work, seed)
    make_sampler(recipe, work, seed)
    make_samples(recipe, work)
    make_verifiers(recipe, work, seed)
    model = FusedModel(
        load_trunk(work.generator),
        load_sampler(work.sampler, recipe.trunk),
        load_verifier(work.verifier("prm"), recipe.trunk),
        load_verifier(work.verifier("orm"), recipe.trunk),
        load_tokenizer(work.tokenizer),
        {
            "seed": seed,
            "machine": this_machine(),
            "wallSeconds": round(trained["seconds"] + time.monotonic() - started),
            "trainedTokens": trained["tokens"],
        },
    ).eval()
    return export(model, out, quality_of(model))


def make_text(recipe: Recipe, work: RunFiles) -> None:
    """The tokenizer and the corpus shards."""
    human = read_human(default_folder())
    (work.root / "corpus").mkdir(parents=True, exist_ok=True)
    if not (work.tokenizer / "tokenizer.json").exists():
        build_tokenizer(work.tokenizer, human, recipe.tokenizer_problems)
    arguments = (recipe.shard_size, human, held_out_texts(), 1)
    if recipe.shards == 1:
        write_shards(work, [0], *arguments)
        return
    workers = [Process(target=write_shards, args=(work, list(range(first, recipe.shards, 2)), *arguments)) for first in (0, 1)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        if worker.exitcode != 0:
            raise RuntimeError("writing the corpus failed; see the message above")


def make_generator(recipe: Recipe, work: RunFiles, seed: int) -> dict[str, Any]:
    """Trains the trunk, or goes on from its checkpoint. Returns its state: seconds and tokens so far."""
    done = work.root / "generator.done"
    if not done.exists():
        train(
            work,
            recipe.generator_minutes * 60,
            config=recipe.trunk,
            batch_tokens=8192 if recipe.compiled else 2048,
            seed=seed,
            resume=True,
            compiled=recipe.compiled,
            max_steps=recipe.generator_steps,
        )
        done.touch()
    return torch.load(work.generator, map_location="cpu", weights_only=True)["state"]


def make_sampler(recipe: Recipe, work: RunFiles, seed: int) -> None:
    """Trains the sampler's block on the finished trunk."""
    if not work.sampler.exists():
        train_sampler(
            work,
            load_trunk(work.generator),
            recipe.sampler_depth,
            recipe.sampler_tokens,
            temperature=recipe.sampler_temperature,
            batch_tokens=8192 if recipe.compiled else 2048,
            seed=seed,
            compiled=recipe.compiled,
        )


def make_samples(recipe: Recipe, work: RunFiles) -> None:
    """Solutions for the verifiers to learn from."""
    if work.samples("train").exists():
        return
    tokenizer = load_tokenizer(work.tokenizer)
    snapshots = sorted(work.snapshots.glob("*.pt")) or [work.generator]
    trunks = {"final": work.generator, "earlier": snapshots[(len(snapshots) - 1) // 2]}
    problems = training_problems(sum(count for *_, count in recipe.sources))
    samplers = {"sampler": work.sampler, "earlier sampler": work.earlier_sampler}
    rows: list[dict[str, Any]] = []
    for number, (trunk, readout, temperature, count) in enumerate(recipe.sources):
        source = Source(trunks[trunk], samplers[readout] if isinstance(readout, str) else readout, temperature)
        rows += sample_for_training(tokenizer, source, list(islice(problems, count)), recipe.lanes, number)
    write_jsonl(work.samples("train"), rows)


def make_verifiers(recipe: Recipe, work: RunFiles, seed: int) -> None:
    """Trains the PRM and the ORM on the same solutions, and calibrates both on held-out problems."""
    if work.verifier("orm").exists():
        return
    tokenizer, trunk = load_tokenizer(work.tokenizer), load_trunk(work.generator)
    rows = label_rows(tokenizer, read_jsonl(work.samples("train")))
    print(f"{len(rows)} labelled solutions, {np.mean([row.outcome for row in rows]):.3f} right", flush=True)
    prm, orm, _ = train_verifiers(
        trunk,
        rows,
        recipe.verifier_minutes * 60,
        config=recipe.verifier,
        batch_tokens=8192 if recipe.compiled else 2048,
        seed=seed,
        compiled=recipe.compiled,
        max_steps=recipe.verifier_steps,
        log=work.root / "verifier.jsonl",
        checkpoint=work.root / "verifiers-checkpoint.pt",
    )
    calibrate_pair(trunk, load_sampler(work.sampler, trunk.config), prm, orm, tokenizer, recipe.lanes)
    for kind, verifier in (("prm", prm), ("orm", orm)):
        save_verifier(work.verifier(kind), verifier)


def calibrate_pair(trunk: Trunk, sampler: Sampler, prm: Verifier, orm: Verifier, tokenizer: Tokenizer, lanes: int) -> None:
    """Calibrates both on samples of the held-out problems that choose models."""
    rows = choosing(read_jsonl(IN_RANGE))[: 25 * lanes]
    _, labelled = measure_sampler(sampler.readout(trunk), tokenizer, rows, lanes, seed=99)
    calibrate_both(prm, orm, labelled, logits_of(trunk, [prm, orm], labelled))


def quality_of(model: FusedModel) -> dict[str, Any]:
    """Figures of the unquantised model on the held-out problems that chose it; `npm run evaluate` measures the files."""
    rows = choosing(read_jsonl(IN_RANGE))[: 100 if model.trunk.config == TrunkConfig() else 6]
    figures, labelled = measure_sampler(model.sampler.readout(model.trunk), model.tokenizer, rows, 16)
    figures |= measure_verifiers(model.trunk, model.prm, model.orm, labelled, 16)
    return {
        "measuredOn": f"{len(rows)} held-out problems, 16 samples each at T=1, unquantised, in PyTorch",
        **{name: round(value, 4) for name, value in figures.items() if value == value},
    }


def export(model: FusedModel, out: Path, quality: dict[str, Any]) -> dict[str, Any]:
    folder = out / MODEL_ID
    export_files(model, folder)
    return write_manifest(model, out, make_canary(folder / "onnx" / "model_quantized.onnx", model.tokenizer), quality)


def check_export(model_folder: Path, model: FusedModel) -> float:
    """Largest difference of a reward between the exported int8 file and PyTorch, over three padded sequences."""
    session = onnxruntime.InferenceSession(str(model_folder / "onnx" / "model_quantized.onnx"))
    problems = [row["problem"] for row in read_jsonl(IN_RANGE)[:3]]
    sequences = [encode_solution(model.tokenizer, problem, ["Total: 1+2=3", "Answer: 3"])[0] for problem in problems]
    rewards = run_whole(session, sequences)["rewards"]
    worst = 0.0
    for row, sequence in enumerate(sequences):
        _, expected = reference_outputs(model.trunk, model.sampler, model.prm, model.orm, torch.tensor([sequence]))
        worst = max(worst, float(np.abs(rewards[row, : len(sequence)] - expected[0].numpy()).max()))
    return worst


def make_toy() -> None:
    """Every stage at toy size in a temporary folder; raises when a stage or the export is broken."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        work, out = RunFiles(Path(folder) / "work"), Path(folder) / "static-models"
        manifest = make(TOY, work, out)
        model = FusedModel(
            load_trunk(work.generator),
            load_sampler(work.sampler, TOY.trunk),
            load_verifier(work.verifier("prm"), TOY.trunk),
            load_verifier(work.verifier("orm"), TOY.trunk),
            load_tokenizer(work.tokenizer),
        ).eval()
        worst = check_export(out / MODEL_ID, model)
        if worst > 0.05:
            raise AssertionError(f"the exported file's rewards differ from PyTorch's by {worst:.3f}")
        files = manifest["models"][0]["files"]
        print(f"toy pipeline: {len(files)} files, largest reward difference {worst:.4f}, {time.monotonic() - started:.0f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--toy", action="store_true", help="every stage at toy size, into a temporary folder")
    parser.add_argument("--work", type=Path, default=Path(__file__).parent / "out" / MODEL_ID)
    parser.add_argument("--out", type=Path, default=REPOSITORY / "static-models")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    if options.toy:
        make_toy()
        return
    manifest = make(Recipe(), RunFiles(options.work), options.out, options.seed)
    write_json(options.work / "manifest.json", manifest)
    print(json.dumps(manifest["models"][0]["quality"], indent=2))


if __name__ == "__main__":
    main()
