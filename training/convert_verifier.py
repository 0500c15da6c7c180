"""Make browser-ready ONNX files from a verifier on the Hugging Face hub or in a folder.

`python -m training.convert_verifier --model Skywork/Skywork-o1-Open-PRM-Qwen-2.5-1.5B --adapter skywork-value-head \
    --out converted/skywork-prm --dtypes q4 q4f16`

docs/convert-a-verifier.md says which adapter fits which model, what memory it takes and where the folder goes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

from .decoder_graph import DecoderGraph, SmallHead
from .decoder_weights import DecoderConfig, UnsupportedModel, WeightFolder, read_config
from .files import write_json
from .packed_weights import PRECISIONS, Precision
from .tensor_store import LONGEST_FILE, TensorStore
from .verifier_adapters import NAMES, Options, generator_adapter, graph_head, page_adapter
from .verifier_layout import LayoutTokenizer
from .verifier_parity import compare, print_report

TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")
# What a model's folder may hold that the conversion needs.
WANTED = ("*.json", "*.safetensors", "*.jinja", "README.md")

# The version of steplight.json, as the page knows it.
RECIPE_VERSION = 1

# What runs where, in the page's own order of preference. 8 bits compute wrongly on WebGPU.
DEVICES: tuple[tuple[str, str, bool], ...] = (
    ("q4f16", "webgpu", True),
    ("q4", "webgpu", False),
    ("fp32", "webgpu", False),
    ("q8", "wasm", False),
    ("q4", "wasm", False),
    ("fp32", "wasm", False),
)


def find_model(model: str) -> Path:
    """The folder of that path, or the hub's model of that name, downloaded into the hub's cache."""
    folder = Path(model)
    if folder.is_dir():
        return folder
    try:
        from huggingface_hub import snapshot_download

        return Path(snapshot_download(model, allow_patterns=list(WANTED)))
    except ImportError as error:
        raise SystemExit(f'"{model}" is no folder, and huggingface_hub is not installed.') from error
    except Exception as error:  # noqa: BLE001 - the hub's client raises errors of several libraries
        raise SystemExit(
            f'"{model}" is no folder, and it could not be fetched from the hub ({type(error).__name__}: {error}). '
            "Fetch it where there is a connection and give its folder."
        ) from error


def licence_of(folder: Path) -> str | None:
    """The licence that the head of the model card states."""
    card = folder / "README.md"
    match = re.match(r"---\n(.*?)\n---", card.read_text(errors="replace"), re.S) if card.exists() else None
    licence = re.search(r"^license:[ \t]*(\S+)", match[1], re.M) if match else None
    return licence[1] if licence else None


def copy_settings(source: Path, out: Path) -> None:
    """Configuration and tokenizer, with the chat template where transformers.js looks for it."""
    for name in ("config.json", "generation_config.json", *TOKENIZER_FILES):
        if (source / name).exists():
            shutil.copy(source / name, out / name)
    template = source / "chat_template.jinja"
    if template.exists():
        settings = out / "tokenizer_config.json"
        write_json(settings, {**json.loads(settings.read_text()), "chat_template": template.read_text()})


def unescaped(text: str) -> str:
    """A text of the command line, in which \\n is a newline and two backslashes are one."""
    return re.sub(r"\\([\\n])", lambda match: "\n" if match[1] == "n" else "\\", text)


def file_entry(path: Path, out: Path) -> dict[str, Any]:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(1 << 22):
            digest.update(part)
    return {"path": path.relative_to(out).as_posix(), "bytes": path.stat().st_size, "sha256": digest.hexdigest()}


def write_graph(
    config: DecoderConfig,
    weights: WeightFolder,
    head: SmallHead | None,
    precision: Precision,
    path: Path,
    longest: int = LONGEST_FILE,
) -> None:
    store = TensorStore(path, longest)
    store.save(DecoderGraph(config, weights, precision, head, store).build())


def convert(source: Path, adapter: str, out: Path, dtypes: list[str], options: Options, title: str) -> dict[str, Any]:
    """Write the folder; returns what steplight.json says."""
    config, weights = DecoderConfig.from_json(read_config(source)), WeightFolder(source)
    head = graph_head(adapter, config, weights, LayoutTokenizer.load(source), options)
    shutil.rmtree(out, ignore_errors=True)
    (out / "onnx").mkdir(parents=True)
    copy_settings(source, out)
    for dtype in dtypes:
        write_graph(config, weights, head, PRECISIONS[dtype], out / "onnx" / PRECISIONS[dtype].file)
    entry = {
        "version": RECIPE_VERSION,
        "title": title,
        "dtypes": [
            {"dtype": dtype, "backend": backend, "needsShaderF16": half}
            for dtype, backend, half in DEVICES
            if dtype in dtypes
        ],
        "context": config.context,
        "generator": generator_adapter() if head is None else None,
        "verifier": None if head is None else page_adapter(adapter, options, len(head.weight)),
        "canary": None,
        "licence": licence_of(source),
        "files": [file_entry(path, out) for path in sorted(out.rglob("*")) if path.is_file()],
    }
    write_json(out / "steplight.json", entry)
    return entry


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="a folder, or a name on the hub (owner/name)")
    parser.add_argument("--adapter", required=True, choices=NAMES)
    parser.add_argument("--out", type=Path, required=True, help="this folder is emptied first")
    parser.add_argument("--dtypes", nargs="+", choices=list(PRECISIONS), default=["q4", "q4f16"])
    parser.add_argument("--title", help="what the page calls it; by default the model's name")
    for field in fields(Options):
        kind = int if isinstance(field.default, int) else unescaped
        parser.add_argument(f"--{field.name}", type=kind, default=field.default)
    given = parser.parse_args()
    options = Options(**{field.name: getattr(given, field.name) for field in fields(Options)})
    source = find_model(given.model)
    if source.resolve() == given.out.resolve():
        raise SystemExit("--out is the model's own folder, which would be emptied.")
    title = given.title or given.model.rstrip("/").split("/")[-1]
    try:
        entry = convert(source, given.adapter, given.out, given.dtypes, options, title)
        for file in entry["files"]:
            print(f'{file["bytes"]:>14,}  {file["path"]}')
        if given.adapter == "generator":
            return
        report, canary = compare(source, given.adapter, given.out, given.dtypes, options, entry["verifier"])
    except (UnsupportedModel, FileNotFoundError, ValueError) as error:
        sys.exit(f"This model cannot be converted: {error}")
    write_json(given.out / "steplight.json", {**entry, "canary": canary})
    write_json(given.out / "parity.json", report)
    print_report(report)


if __name__ == "__main__":
    main()
