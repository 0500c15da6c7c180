"""Problems and solutions from a seed. `python -m training.grammar.generate [family]` prints samples."""
from __future__ import annotations

import importlib
import pkgutil
import random
import sys
from itertools import accumulate

from training.grammar import families
from training.grammar.family import FAMILIES, Family, spelled
from training.grammar.problem import Node, Problem

# Modules register their families when imported; sorted, so that a seed means the same everywhere.
for _module in sorted(module.name for module in pkgutil.iter_modules(families.__path__)):
    importlib.import_module(f"{families.__name__}.{_module}")

_GROUPS: dict[bool, tuple[list[Family], list[float]]] = {}
for _held_out in (False, True):
    _members = [member for member in FAMILIES.values() if member.held_out == _held_out]
    _GROUPS[_held_out] = _members, list(accumulate(member.weight for member in _members))

FIRST_PLAN = 0.85


def make_problem(rng: random.Random, family: str | None = None, held_out: bool = False) -> Problem:
    """A problem of the family, or of one chosen by weight among the trained or the held-out ones."""
    if family is not None:
        return FAMILIES[family].make(rng)
    members, weights = _GROUPS[held_out]
    return rng.choices(members, cum_weights=weights)[0].make(rng)


def write_solution(problem: Problem, rng: random.Random) -> list[str]:
    """One valid path, usually the first plan, and the answer line."""
    plan = problem.plans[0] if len(problem.plans) == 1 or rng.random() < FIRST_PLAN else rng.choice(problem.plans[1:])
    return write_plan(problem, plan)


def write_plan(problem: Problem, plan: tuple[Node, ...]) -> list[str]:
    # In problems about fractions a value is spelled 3/4; elsewhere as a decimal.
    fractions = FAMILIES[problem.family].fractions
    return [*(f"{node.label}: {node.exprs[0]}={spelled(node.value, fractions)}" for node in plan), f"Answer: {problem.answer}"]


def main() -> None:
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for member in FAMILIES.values():
        if len(sys.argv) > 1 and sys.argv[1] not in ("all", member.name):
            continue
        print(f"== {member.name}{' (held out)' if member.held_out else ''}")
        for _ in range(3):
            problem = member.make(rng)
            print(problem.text, *write_solution(problem, rng), "", sep="\n")


if __name__ == "__main__":
    main()
