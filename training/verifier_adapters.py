"""The kinds of verifier that can be converted: for each its head, how it is asked, and how transformers runs it.

`page` of an adapter is what the page reads (src/domain/verifier.ts), to the letter.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from .decoder_graph import EMBEDDING, UNEMBEDDING, SmallHead
from .decoder_weights import DecoderConfig, UnsupportedModel, WeightFolder
from .verifier_layout import LayoutTokenizer

NAMES = ("trl-token-classification", "skywork-value-head", "causal-two-tokens", "sequence-classification", "generator")


@dataclass(frozen=True)
class Options:
    """What an adapter leaves open."""

    # After each step of a model trained by TRL.
    separator: str = "\n"
    # The two verdicts of a causal model.
    good: str = "+"
    bad: str = "-"
    # The label of a token classifier that says "correct".
    positive: int = 1


def page_adapter(name: str, options: Options, labels: int = 2) -> dict[str, Any]:
    """A verifier's adapter as the page reads it."""
    if name == "trl-token-classification":
        # TRL tokenises the prompt, each step and each separator apart.
        layout = {
            "joined": False,
            "prompt": ["{problem}", options.separator],
            "step": ["{step}", options.separator],
            "between": [],
            "probe": [],
        }
        head = {"kind": "labels", "output": "logits", "positive": options.positive, "width": labels}
    elif name == "skywork-value-head":
        layout = {"joined": False, "prompt": ["{bos}{problem}\n"], "step": ["{step}", "\n"], "between": [], "probe": []}
        head = {"kind": "sigmoid", "output": "values"}
    elif name == "causal-two-tokens":
        # Each step is a turn of a conversation, and the verdict the model's reply; after it the next step is read as
        # if the reply had been good, as it was in training.
        layout = {
            "joined": True,
            "prompt": [],
            "first": ["{chat:open}{problem} {step}{chat:reply}"],
            "step": ["{step}{chat:reply}"],
            "between": [options.good + "{chat:next}"],
            "probe": [],
        }
        # The graph keeps two rows of the vocabulary, so they are labels, not tokens.
        head = {"kind": "labels", "output": "logits", "positive": 0, "width": 2}
    elif name == "sequence-classification":
        layout = {
            "joined": True,
            "prompt": ["{chat:open}{problem}{chat:answer}"],
            "step": ["{step}"],
            "between": ["\n"],
            "probe": ["{chat:end}"],
        }
        head = {"kind": "sigmoid", "output": "logits"}
    else:
        raise ValueError(f'There is no verifier adapter "{name}".')
    whole = name == "sequence-classification"
    return {
        "reads": "solution" if whole else "steps",
        "layout": layout,
        "head": head,
        "comparable": "within-problem" if whole else "everywhere",
    }


def generator_adapter() -> dict[str, Any]:
    return {"prompt": ["{chat:open}{problem}{chat:reply}"], "steps": "line"}


def verdict_tokens(tokenizer: LayoutTokenizer, options: Options) -> list[int]:
    """The ids of the good and the bad verdict."""
    ids = [tokenizer.encode(text) for text in (options.good, options.bad)]
    for text, tokens in zip((options.good, options.bad), ids):
        if len(tokens) != 1:
            raise UnsupportedModel(f'The verdict "{text}" has {len(tokens)} tokens in this tokenizer; it must be one.')
    return [tokens[0] for tokens in ids]


def graph_head(
    name: str, config: DecoderConfig, weights: WeightFolder, tokenizer: LayoutTokenizer, options: Options
) -> SmallHead | None:
    """The head of the graph; `None` for a generator's vocabulary."""
    if name == "generator":
        return None
    if name == "causal-two-tokens":
        rows = weights.read(EMBEDDING if config.tied else UNEMBEDDING)
        return SmallHead("logits", rows[verdict_tokens(tokenizer, options)])
    output, source = ("values", "v_head.summary") if name == "skywork-value-head" else ("logits", "score")
    weight = weights.read(f"{source}.weight")
    if name != "trl-token-classification" and len(weight) != 1:
        raise UnsupportedModel(f"The head has {len(weight)} outputs; this adapter reads one.")
    return SmallHead(output, weight, weights.read(f"{source}.bias") if f"{source}.bias" in weights else None)


class Reference:
    """The model in PyTorch by transformers, float32: what the converted files are held to."""

    def __init__(self, name: str, folder: Path, tokenizer: LayoutTokenizer, options: Options) -> None:
        import transformers

        # It warns of each tensor that it does not need, such as a value head.
        transformers.logging.set_verbosity_error()
        transformers.logging.disable_progress_bar()
        kinds = {
            "trl-token-classification": transformers.AutoModelForTokenClassification,
            "skywork-value-head": transformers.AutoModel,
            "sequence-classification": transformers.AutoModelForSequenceClassification,
        }
        kind = kinds.get(name, transformers.AutoModelForCausalLM)
        # Scores are read at single positions; how attention is computed must not matter, and eager is the plainest.
        self._model = kind.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
        self._name, self._options = name, options
        if name == "causal-two-tokens":
            self._verdicts = verdict_tokens(tokenizer, options)
        if name == "skywork-value-head":
            weights = WeightFolder(folder)
            self._value = [weights.read(f"v_head.summary.{part}").float() for part in ("weight", "bias")]

    @torch.no_grad()
    def outputs(self, tokens: list[int]) -> Tensor:
        """What the model says after the tokens, before it is made a probability: labels, a value or logits."""
        result = self._model(torch.tensor([tokens]))
        if self._name == "sequence-classification":
            return result.logits[0]
        if self._name == "skywork-value-head":
            weight, bias = self._value
            return torch.nn.functional.linear(result.last_hidden_state[0, -1], weight, bias)
        last = result.logits[0, -1]
        return last[self._verdicts] if self._name == "causal-two-tokens" else last


def read_head(head: dict[str, Any], row: Tensor) -> float:
    """The probability that the page makes of a row of outputs."""
    if head["kind"] == "sigmoid":
        return float(torch.sigmoid(row.double()[0]))
    return float(torch.softmax(row.double(), 0)[head["positive"]])
