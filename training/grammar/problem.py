"""What the grammar produces: a problem in plain English and every valid way of solving it."""
from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Node:
    """One quantity of a plan, and so one step of a solution."""

    label: str
    # Every accepted expression over written numbers; the first is the one that is written.
    exprs: tuple[str, ...]
    value: Fraction
    # For each expression, the indices in the plan of the nodes whose values it uses.
    # Without this, a value that happens to stand in the text too would count as derived.
    needs: tuple[tuple[int, ...], ...] = ()
    # The label names what the text does not (a person, a variable): any label is accepted in its place.
    free_label: bool = False


@dataclass(frozen=True)
class Problem:
    family: str
    text: str
    answer: str
    # Every valid path. The last node of each plan is the goal, and its value is the answer.
    plans: tuple[tuple[Node, ...], ...]
    held_out: bool
