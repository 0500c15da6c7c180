"""People: common first names, roles, and names nobody has, so that a model learns to copy any word."""
from __future__ import annotations

import random

SHE = ("Sara Emma Olivia Mia Ava Zoe Lily Grace Chloe Nora Ella Amy Anna Julia Maria Rosa Elena Lucy Ruby Alice Clara Diana Eva Faith Gina "
       "Hanna Irene Jane Kate Laura Megan Nina Paula Rachel Sofia Tina Vera Wendy Yara Zelda Amina Bianca Carmen Daisy Esther Fiona Gloria "
       "Heidi Isabel Joy Karen Leila Mona Naomi Opal Priya Queenie Rita Sally Tara Uma Violet Willa Yuki Mei Ingrid Aisha Fatima Lakshmi "
       "Keiko Chiara Freya Astrid Bella Carla Dora").split()
HE = ("Tom Ben Jack Leo Max Sam Noah Liam Owen Paul Adam Alex Brian Carl David Eric Frank George Henry Ivan Jake Kevin Luke Mark Nick Oscar "
      "Peter Quinn Robert Steve Tim Victor Will Xavier Yusuf Zach Ali Bruno Caleb Diego Elias Felix Gus Hugo Isaac Joel Karl Lars Mateo Nils "
      "Omar Pablo Rahul Simon Theo Umar Vince Walter Yan Zane Arjun Boris Chen Dmitri Emeka Fabio Hiro Jamal Kofi Milo Andre Dan Fred Greg "
      "Harold James Kenji Louis").split()
_SURNAMES = "Brown Hill Lopez Kim Singh Young Marsh Patel Novak Stone Reed Okafor Berg Costa".split()
_ROLES = ("the baker", "the farmer", "the teacher", "the coach", "the librarian", "the gardener", "the shopkeeper", "the cook", "the artist")
_CONSONANTS = "b c d f g h j k l m n p r s t v w z br dr gl kr st tr pl sn fl gr sh ch qu bl".split()
_VOWELS = "a e i o u a e i o oo ee ai".split()
_ENDINGS = ("", "", "n", "r", "x", "k", "th", "l", "m", "rp", "ng", "st", "ff", "rd", "b", "g")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

PRONOUNS = {"he": ("he", "him", "his"), "she": ("she", "her", "her"), "they": ("they", "them", "their")}


def made_up(rng: random.Random) -> str:
    """A word nobody has read: mostly pronounceable, at times any letters at all."""
    if rng.random() < 0.6:
        syllables = 1 if rng.random() < 0.45 else 2 if rng.random() < 0.85 else 3
        word = "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(syllables)) + rng.choice(_ENDINGS)
        return word if len(word) > 2 else word + rng.choice("bdgkmnprt")
    return "".join(rng.choices(_LETTERS, k=rng.randint(3, 9)))


def person(rng: random.Random) -> tuple[str, str]:
    """A name and the pronoun that goes with it."""
    draw = rng.random()
    if draw < 0.25:
        return made_up(rng).capitalize(), rng.choice(("he", "she", "they"))
    if draw < 0.28:
        return rng.choice(("Mr.", "Mrs.", "Ms.")) + " " + rng.choice(_SURNAMES), ""
    if draw < 0.30:
        return rng.choice(_ROLES), rng.choice(("he", "she"))
    if draw < 0.65:
        return rng.choice(SHE), "she" if rng.random() < 0.96 else "they"
    return rng.choice(HE), "he" if rng.random() < 0.96 else "they"
