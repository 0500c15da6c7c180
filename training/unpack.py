"""The shipped pocket models as PyTorch weights: what was trained can be sampled, measured and built upon without
training it again.

`python -m training.unpack --work training/out/pocket` writes the trunk, the sampler, both verifiers and the tokenizer as
the stages of `training.make` would, from the int8 file. The weights are those after quantisation, the verifiers'
calibration is in their heads, and the trunk's early exits are not there: the file does not hold them.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from .export import MODEL_ID
from .files import REPOSITORY, RunFiles
from .model import Sampler, Trunk, TrunkConfig, Verifier, VerifierConfig
from .train_verifier import save_verifier


def read_weights(path: Path) -> dict[str, Tensor]:
    """float32 tensors by the names of onnx_graph.py; int8 ones are multiplied out."""
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(path).graph.initializer}
    weights = {name: array for name, array in arrays.items() if array.dtype == np.float32}
    for name, array in arrays.items():
        if name.endswith(".int8"):
            whole = name.removesuffix(".int8")
            weights[whole] = array.astype(np.float32) * arrays[f"{whole}.scale"]
    return {name: torch.from_numpy(np.array(array)) for name, array in weights.items()}


@torch.no_grad()
def _fill(module: nn.Module, weights: dict[str, Tensor], prefix: str, given: dict[str, Tensor]) -> None:
    """Loads a module's parameters. The file has a linear map the other way round, and a norm's gain under its own
    name."""
    state = {}
    for name, parameter in module.named_parameters():
        if name in given:
            state[name] = given[name]
            continue
        *scope, last = name.split(".")
        key = prefix + (name if parameter.ndim > 1 else ".".join(scope))
        state[name] = weights[key].t() if parameter.ndim > 1 else weights[key]
        assert last == "weight" and state[name].shape == parameter.shape, name
    module.load_state_dict(state, strict=False)


def unpack(folder: Path, work: RunFiles) -> None:
    """Writes a model folder of static-models/ into a working folder. The file must be the int8 one of `export_files`."""
    config = json.loads((folder / "config.json").read_text())
    weights = read_weights(folder / "onnx" / "model_quantized.onnx")
    trunk_config = TrunkConfig(
        vocab=config["vocab_size"],
        width=config["hidden_size"],
        layers=config["trunk_layers"],
        heads=config["num_attention_heads"],
        kv_heads=config["num_key_value_heads"],
        head_dim=config["head_dim"],
        mlp=config["intermediate_size"],
        context=config["max_position_embeddings"],
        rope_base=config["rope_theta"],
        exits=(),
    )
    work.root.mkdir(parents=True, exist_ok=True)
    trunk = Trunk(trunk_config)
    _fill(trunk, weights, "", {"embedding.weight": weights["embedding.weight"], "norm.weight": weights["final.norm"]})
    torch.save({"config": trunk_config.to_json(), "weights": trunk.state_dict()}, work.generator)
    sampler = Sampler(trunk_config, config["sampler_shared_layers"])
    _fill(sampler.block, weights, "sampler.", {})
    with torch.no_grad():
        sampler.norm.weight.copy_(weights["sampler.norm"])
    torch.save({"depth": sampler.depth, "weights": sampler.state_dict()}, work.sampler)
    for kind in ("prm", "orm"):
        width, mlp = weights[f"{kind}.blocks.0.down.weight"].shape[::-1]
        blocks = sum(name.startswith(f"{kind}.blocks.") and name.endswith("down.weight") for name in weights)
        shape = VerifierConfig(
            width=width, blocks=blocks, heads=trunk_config.kv_heads, head_dim=trunk_config.head_dim, mlp=mlp
        )
        verifier = Verifier(shape, trunk_config)
        _fill(verifier, weights, f"{kind}.", {"head.bias": weights[f"{kind}.head.bias"].reshape(1)})
        save_verifier(work.verifier(kind), verifier)
    work.tokenizer.mkdir(exist_ok=True)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(folder / name, work.tokenizer)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--models", type=Path, default=REPOSITORY / "static-models" / MODEL_ID)
    options = parser.parse_args()
    unpack(options.models, RunFiles(options.work))


if __name__ == "__main__":
    main()
