"""Tiny models of every architecture and head that can be converted, for tests: random, but for a generator that learnt
a minute's worth of short solutions.

`python -m training.random_models` writes tests/fixtures/hub/: a folder for each, as a hub has them, and expected.json,
what transformers computes for them in PyTorch. Nothing in that file comes from an ONNX graph.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from torch import Tensor
from torch.nn import functional

from .convert_verifier import convert
from .files import REPOSITORY, write_json
from .grammar.generate import make_problem, write_solution
from .verifier_adapters import Options, Reference, generator_adapter, page_adapter, read_head
from .verifier_layout import LayoutTokenizer, readings

FIXTURES = REPOSITORY / "tests" / "fixtures" / "hub"
OWNER = "steplight-test"
CONTEXT = 512

CHATML = (
    "{% if messages[0]['role'] != 'system' %}{{ '<|im_start|>system\nSolve the problem.<|im_end|>\n' }}{% endif %}"
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
LLAMA3 = (
    "{{ bos_token }}{% for message in messages %}{{ '<|start_header_id|>' + message['role'] + '<|end_header_id|>\n\n'"
    " + message['content'] | trim + '<|eot_id|>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}"
)
# Words, digits, signs and newlines apart, as these families' own tokenizers have them.
SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}DIGITS| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)


@dataclass(frozen=True)
class Family:
    """What the models of one family share in their tokenizers."""

    tokenizer_class: str
    digits: str
    specials: tuple[str, ...]
    bos: str | None
    eos: str
    pad: str
    template: str


QWEN = Family(
    "Qwen2Tokenizer", "", ("<|endoftext|>", "<|im_start|>", "<|im_end|>"), None, "<|im_end|>", "<|endoftext|>", CHATML
)
LLAMA = Family(
    "PreTrainedTokenizerFast",
    "{1,3}",
    ("<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"),
    "<|begin_of_text|>",
    "<|eot_id|>",
    "<|end_of_text|>",
    LLAMA3,
)


@dataclass(frozen=True)
class TinyModel:
    """One fixture. `shape` is what its config.json says beside the usual; the seed is one whose scores vary and stand
    out from what 4 bits change."""

    name: str
    adapter: str
    model_type: str
    family: Family
    vocabulary: int
    seed: int
    shape: dict[str, Any]
    bos: str | None = None


TINY_MODELS = (
    TinyModel(
        "tiny-qwen2-generator",
        "generator",
        "qwen2",
        QWEN,
        1000,
        0,
        {"hidden_size": 64, "intermediate_size": 128, "num_attention_heads": 4, "tie_word_embeddings": True},
    ),
    TinyModel(
        "tiny-llama-prm",
        "trl-token-classification",
        "llama",
        LLAMA,
        2000,
        4,
        {"hidden_size": 48, "intermediate_size": 96, "num_attention_heads": 4, "head_dim": 12, "num_labels": 2},
    ),
    TinyModel(
        "tiny-qwen3-orm",
        "sequence-classification",
        "qwen3",
        QWEN,
        1800,
        4,
        # Heads of 4 x 16 on a width of 32: the size of a head is its own.
        {"hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 4, "head_dim": 16, "num_labels": 1},
    ),
    TinyModel(
        "tiny-qwen2-value-prm",
        "skywork-value-head",
        "qwen2",
        QWEN,
        1600,
        4,
        {"hidden_size": 48, "intermediate_size": 96, "num_attention_heads": 6},
        bos="<|endoftext|>",
    ),
    TinyModel(
        "tiny-llama-causal-prm",
        "causal-two-tokens",
        "llama",
        LLAMA,
        2400,
        1,
        {
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_attention_heads": 4,
            "rope_theta": 500000.0,
            "rope_scaling": {
                "rope_type": "llama3",
                "factor": 8.0,
                "low_freq_factor": 1.0,
                "high_freq_factor": 4.0,
                "original_max_position_embeddings": 64,
            },
        },
    ),
)


# -- tokenizers ----------------------------------------------------------------------------


def worked_texts(seed: int, count: int) -> Iterator[tuple[str, str]]:
    """Problems of the grammar with the lines of a solution."""
    rng = random.Random(seed)
    for _ in range(count):
        problem = make_problem(rng)
        yield problem.text, "\n".join(write_solution(problem, rng))


def train_tokenizer(family: Family, vocabulary: int) -> Tokenizer:
    """Byte-level BPE with the special tokens last, as these families have them."""
    tokenizer = Tokenizer(models.BPE())
    if family is QWEN:
        tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(SPLIT.replace("DIGITS", family.digits)), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary - len(family.specials),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator((f"{problem}\n{solution}\n" for problem, solution in worked_texts(5, 6000)), trainer)
    tokenizer.add_special_tokens([AddedToken(text, normalized=False) for text in family.specials])
    return tokenizer


def write_tokenizer(model: TinyModel, folder: Path) -> Tokenizer:
    family = model.family
    tokenizer = train_tokenizer(family, model.vocabulary)
    assert tokenizer.get_vocab_size() == model.vocabulary, "the text has too few merges"
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    write_json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": family.tokenizer_class,
            "bos_token": model.bos or family.bos,
            "eos_token": family.eos,
            "pad_token": family.pad,
            "clean_up_tokenization_spaces": False,
            "model_max_length": CONTEXT,
            "chat_template": family.template,
        },
    )
    return tokenizer


# -- weights -------------------------------------------------------------------------------


def transformers_class(model: TinyModel) -> Any:
    import transformers

    kind = {"trl-token-classification": "TokenClassification", "sequence-classification": "SequenceClassification"}
    prefix = {"qwen2": "Qwen2", "qwen3": "Qwen3", "llama": "Llama", "mistral": "Mistral"}[model.model_type]
    return getattr(transformers, f"{prefix}For{kind.get(model.adapter, 'CausalLM')}")


def randomise(parameters: dict[str, Tensor], seed: int) -> None:
    """Weights so large, and norms and biases so far from where they begin, that every part changes the scores."""
    generator = torch.Generator().manual_seed(seed)
    for name, tensor in sorted(parameters.items()):
        noise = torch.randn(tensor.shape, generator=generator)
        if "norm" in name:
            noise = 1 + 0.2 * noise
        elif name.endswith("bias"):
            noise = 0.3 * noise
        elif "embed_tokens" in name:
            noise = 0.5 * noise
        elif "layers" in name:
            noise = noise / math.sqrt(tensor.shape[-1])
        else:
            noise = 2.5 * noise / math.sqrt(tensor.shape[-1])
        tensor.data.copy_(noise)


def write_model(model: TinyModel, folder: Path) -> None:
    """A folder as the hub has it: config.json, model.safetensors and the tokenizer."""
    tokenizer = write_tokenizer(model, folder)
    ids = {name: tokenizer.token_to_id(text) for name, text in (("eos", model.family.eos), ("pad", model.family.pad))}
    kind = transformers_class(model)
    network = kind(
        kind.config_class(
            vocab_size=model.vocabulary,
            max_position_embeddings=CONTEXT,
            num_hidden_layers=2,
            num_key_value_heads=2,
            bos_token_id=tokenizer.token_to_id(model.bos or model.family.bos or model.family.pad),
            eos_token_id=ids["eos"],
            pad_token_id=ids["pad"],
            **model.shape,
        )
    )
    if model.adapter == "generator":
        network.tie_weights()
        teach(network, LayoutTokenizer.load(folder), ids["eos"], model.seed)
    else:
        randomise(dict(network.named_parameters()), model.seed)
    network.save_pretrained(folder)
    if model.adapter == "skywork-value-head":
        weights = {f"v_head.summary.{part}": torch.empty(shape) for part, shape in (("weight", (1, network.config.hidden_size)), ("bias", (1,)))}
        randomise(weights, model.seed + 1000)
        save_file({**network.state_dict(), **weights}, folder / "model.safetensors", {"format": "pt"})


# -- the generator -------------------------------------------------------------------------

LONGEST = 80
BATCH = 32
UPDATES = 650


def teach(network: Any, tokenizer: LayoutTokenizer, end: int, seed: int) -> None:
    """A minute of short solutions after their chat prompt, so that it writes lines, an answer and its end."""
    torch.manual_seed(seed)
    for parameter in network.parameters():
        if parameter.dim() == 2:
            torch.nn.init.normal_(parameter, std=0.05)
    rows = list(short_rows(tokenizer, end))
    rng = random.Random(seed)
    optimiser = torch.optim.AdamW(network.parameters(), lr=1.0, betas=(0.9, 0.98), weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: 4e-3 * min((step + 1) / 50, 1 - step / (UPDATES + 1))
    )
    network.train()
    for _ in range(UPDATES):
        chosen = [rows[rng.randrange(len(rows))] for _ in range(BATCH)]
        longest = max(len(tokens) for tokens, _ in chosen)
        ids = torch.tensor([tokens + [end] * (longest - len(tokens)) for tokens, _ in chosen])
        labels = torch.full_like(ids, -100)
        for row, (tokens, start) in enumerate(chosen):
            labels[row, start : len(tokens)] = ids[row, start : len(tokens)]
        logits = network(ids[:, :-1]).logits
        loss = functional.cross_entropy(logits.flatten(0, 1), labels[:, 1:].flatten())
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        schedule.step()
    network.eval()
    print(f"generator: last loss {loss.item():.3f}")


def short_rows(tokenizer: LayoutTokenizer, end: int) -> Iterator[tuple[list[int], int]]:
    """Tokens of a problem with its solution, and where the solution begins."""
    for problem, solution in worked_texts(6, 20000):
        prompt = generator_prompt(tokenizer, problem)
        tokens = [*prompt, *tokenizer.encode(solution), end]
        if len(tokens) <= LONGEST:
            yield tokens, len(prompt)


def generator_prompt(tokenizer: LayoutTokenizer, problem: str) -> list[int]:
    return tokenizer.encode("".join(tokenizer.fill(piece, problem, "", 0) for piece in generator_adapter()["prompt"]))


# -- what is expected ----------------------------------------------------------------------

PROBLEM = "Sara has 4 boxes with 12 pencils each. She gives away 9 pencils. How many pencils are left?"
SOLUTIONS = (
    ["Pencils in boxes: 4*12=48", "Pencils left: 48-9=39", "Answer: 39"],
    ["Pencils in boxes: 4*12=46", "Pencils left: 46-9=37", "Answer: 37"],
    ["She has 4 × 12 = 48 pencils.", "48 − 9 ≈ 40 – “about forty” 🥚", "So: 40", "Answer: 40"],
)
TOP = 5


def expected_scores(model: TinyModel, folder: Path, options: Options) -> dict[str, Any]:
    tokenizer = LayoutTokenizer.load(folder)
    adapter = page_adapter(model.adapter, options)
    reference = Reference(model.adapter, folder, tokenizer, options)
    texts = [readings(adapter, tokenizer, PROBLEM, steps) for steps in SOLUTIONS]
    return {
        "id": f"{OWNER}/{model.name}",
        "adapter": adapter,
        "problem": PROBLEM,
        "solutions": list(SOLUTIONS),
        "tokens": [each[-1].tokens for each in texts],
        "scores": [[round(read_head(adapter["head"], reference.outputs(one.tokens)), 6) for one in each] for each in texts],
    }


def expected_logits(model: TinyModel, folder: Path, options: Options) -> dict[str, Any]:
    tokenizer = LayoutTokenizer.load(folder)
    tokens = generator_prompt(tokenizer, PROBLEM)
    best = torch.topk(Reference(model.adapter, folder, tokenizer, options).outputs(tokens), TOP)
    return {
        "id": f"{OWNER}/{model.name}",
        "adapter": generator_adapter(),
        "problem": PROBLEM,
        "tokens": tokens,
        "top": [[token, round(logit, 4)] for token, logit in zip(best.indices.tolist(), best.values.tolist())],
    }


def write_fixtures(out: Path, chosen: list[str]) -> None:
    torch.set_num_threads(1)
    options = Options()
    path = out / "expected.json"
    # Models that are not made anew keep what is there.
    known = json.loads(path.read_text()) if path.exists() else {"generator": None, "verifiers": []}
    verifiers = {each["id"]: each for each in known["verifiers"]}
    for model in TINY_MODELS:
        if model.name not in chosen:
            continue
        with tempfile.TemporaryDirectory() as temporary:
            source = Path(temporary) / model.name
            write_model(model, source)
            folder = out / OWNER / model.name
            convert(source, model.adapter, folder, ["fp32", "q4"], options, model.name)
            if model.adapter == "generator":
                known["generator"] = expected_logits(model, source, options)
            else:
                verifiers[f"{OWNER}/{model.name}"] = expected_scores(model, source, options)
        size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        print(f"{model.name}: {size:,} bytes", flush=True)
    known["verifiers"] = [verifiers[key] for each in TINY_MODELS if (key := f"{OWNER}/{each.name}") in verifiers]
    path.write_text(json.dumps(known, ensure_ascii=False) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [model.name for model in TINY_MODELS]
    parser.add_argument("--out", type=Path, default=FIXTURES)
    parser.add_argument("--only", nargs="+", choices=names, default=names)
    options = parser.parse_args()
    write_fixtures(options.out, options.only)


if __name__ == "__main__":
    main()
