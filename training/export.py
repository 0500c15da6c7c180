"""Write static-models/: the ONNX files, their configuration, the tokenizer and the manifest.

`python -m training.export --work training/out/pocket --out static-models`
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema
import onnx
import torch
from tokenizers import Tokenizer

from .files import RunFiles, commit, sha256, write_json
from .model import Sampler, Trunk, TrunkConfig, Verifier, VerifierConfig
from .onnx_graph import ModelGraph, cache_pairs
from .quantise import block_int4, weight_only_int8
from .tokenizer import BOS, EOS, PAD, load_tokenizer, save_tokenizer

SCHEMA = Path(__file__).with_name("manifest.schema.json")
MODEL_ID = "pocket"


@dataclass
class FusedModel:
    """Everything that is exported together, as one graph. Without a sampler the lanes sample from the trunk itself."""

    trunk: Trunk
    sampler: Sampler | None
    prm: Verifier
    orm: Verifier
    tokenizer: Tokenizer
    made_by: dict[str, Any] = field(default_factory=dict)

    def eval(self) -> "FusedModel":
        for part in (self.trunk, self.sampler, self.prm, self.orm):
            if part is not None:
                part.eval()
        return self

    @staticmethod
    def random(tokenizer: Tokenizer, seed: int = 0) -> "FusedModel":
        """Untrained weights in the real shapes, for tests and for coding an engine early."""
        torch.manual_seed(seed)
        trunk = Trunk(TrunkConfig(vocab=1024))
        verifiers = [Verifier(VerifierConfig(), trunk.config) for _ in range(2)]
        return FusedModel(trunk, Sampler(trunk.config, 2), *verifiers, tokenizer=tokenizer).eval()


def load_trunk(path: Path) -> Trunk:
    saved = torch.load(path, map_location="cpu", weights_only=True)
    trunk = Trunk(TrunkConfig.from_json(saved["config"]))
    trunk.load_state_dict(saved["weights"])
    return trunk.eval()


def load_verifier(path: Path, trunk: TrunkConfig) -> Verifier:
    saved = torch.load(path, map_location="cpu", weights_only=True)
    verifier = Verifier(VerifierConfig(**saved["config"]), trunk)
    verifier.load_state_dict(saved["weights"])
    return verifier.eval()


def load_sampler(path: Path, trunk: TrunkConfig) -> Sampler:
    saved = torch.load(path, map_location="cpu", weights_only=True)
    sampler = Sampler(trunk, saved["depth"])
    sampler.load_state_dict(saved["weights"])
    return sampler.eval()


def this_machine() -> str:
    """What the models are made on, for the manifest."""
    return f"{platform.system()} {platform.machine()}, {torch.get_num_threads()} threads, PyTorch {torch.__version__}"


def model_config(model: FusedModel) -> dict[str, Any]:
    """config.json. Declared as a Llama so that generic loaders size the cache: its layer count is
    the number of cache pairs of the graph, which includes the verifiers' (see onnx_graph.py)."""
    config = model.trunk.config
    return {
        "model_type": "llama",
        "architectures": ["LlamaForCausalLM"],
        "num_hidden_layers": cache_pairs(model.trunk, model.sampler, model.prm, model.orm),
        "num_attention_heads": config.heads,
        "num_key_value_heads": config.kv_heads,
        "head_dim": config.head_dim,
        "hidden_size": config.width,
        "intermediate_size": config.mlp,
        "vocab_size": config.vocab,
        "bos_token_id": BOS,
        "eos_token_id": EOS,
        "pad_token_id": PAD,
        "max_position_embeddings": config.context,
        "rms_norm_eps": 1e-5,
        "rope_theta": config.rope_base,
        "tie_word_embeddings": True,
        "trunk_layers": config.layers,
        **({} if model.sampler is None else {"sampler_shared_layers": model.sampler.depth}),
    }


def write_companions(model: FusedModel, folder: Path) -> None:
    """A new model folder with the configuration and the tokenizer, and an empty folder for the graphs."""
    shutil.rmtree(folder, ignore_errors=True)
    write_json(folder / "config.json", model_config(model))
    generation = {"bos_token_id": BOS, "eos_token_id": EOS, "pad_token_id": PAD, "do_sample": True, "temperature": 1.0}
    write_json(folder / "generation_config.json", generation)
    save_tokenizer(model.tokenizer, folder)
    (folder / "onnx").mkdir()


def export_files(model: FusedModel, folder: Path) -> None:
    """Write one model folder: configuration, tokenizer and the ONNX variants."""
    write_companions(model, folder)
    with torch.no_grad():
        graph = ModelGraph(model.trunk, model.sampler, model.prm, model.orm).build()
    onnx.save(weight_only_int8(graph), folder / "onnx" / "model_quantized.onnx")
    onnx.save(quantise_for_gpu(graph), folder / "onnx" / "model_q4.onnx")


def quantise_for_gpu(graph: onnx.ModelProto) -> onnx.ModelProto:
    """4 bits for the trunk; the verifiers and the readout, whose small differences decide a
    verdict, keep 8."""
    return block_int4(graph, exclude=lambda name: name.startswith(("prm.", "orm.", "unembedding")))


def manifest_entry(
    model: FusedModel,
    out: Path,
    identity: dict[str, Any],
    variants: list[dict[str, Any]],
    canary: dict[str, Any],
    quality: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """One model of the manifest. `identity` has at least id, title, licence and the command that made it."""
    folder = out / identity["id"]
    files = [
        {"path": str(path.relative_to(out)), "bytes": path.stat().st_size, "sha256": sha256(path)}
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]
    entry: dict[str, Any] = {
        **{key: value for key, value in identity.items() if key != "command"},
        "roles": ["generator", "prm", "orm"],
        "adapter": {"kind": "fused-rewards", "output": "rewards", "prmIndex": 0, "ormIndex": 1, "separator": "\n"},
        "context": model.trunk.config.context,
        "madeBy": {
            "command": identity["command"],
            "commit": commit(),
            "seed": 0,
            "machine": "unknown",
            "wallSeconds": 0,
            "trainedTokens": 0,
            **model.made_by,
        },
        "files": files,
        "variants": variants,
        "canary": canary,
    }
    return entry if quality is None else {**entry, "quality": quality}


def write_entry(out: Path, entry: dict[str, Any]) -> dict[str, Any]:
    """Puts a model into static-models/manifest.json beside the others, the pocket models first; the whole is
    validated against manifest.schema.json."""
    path = out / "manifest.json"
    others = json.loads(path.read_text())["models"] if path.exists() else []
    models = sorted([*(each for each in others if each["id"] != entry["id"]), entry], key=lambda each: each["id"] != MODEL_ID)
    manifest = {"schemaVersion": 1, "models": models}
    jsonschema.validate(manifest, json.loads(SCHEMA.read_text()))
    write_json(path, manifest)
    return manifest


def write_manifest(
    model: FusedModel, out: Path, canary: dict[str, Any], quality: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The pocket models' entry."""
    identity = {
        "id": MODEL_ID,
        "title": "Pocket: word problems, sampled and judged by one small network",
        "licence": "MIT",
        "command": "python -m training.make",
    }
    variants = [
        # The first that a backend can run is taken. 4-bit products are quicker on a GPU and very slow on WASM.
        {"dtype": "q4", "file": f"{MODEL_ID}/onnx/model_q4.onnx", "backends": ["webgpu"]},
        {"dtype": "q8", "file": f"{MODEL_ID}/onnx/model_quantized.onnx", "backends": ["wasm", "webgpu"]},
    ]
    return write_entry(out, manifest_entry(model, out, identity, variants, canary, quality))
