"""Things that problems count, with their plurals."""
from __future__ import annotations

import random

from training.grammar.names import made_up

_IRREGULAR = {
    "knife": "knives", "loaf": "loaves", "leaf": "leaves", "shelf": "shelves", "scarf": "scarves", "mouse": "mice", "goose": "geese", "child": "children",
    "fish": "fish", "sheep": "sheep", "deer": "deer", "wolf": "wolves", "person": "people", "half": "halves", "potato": "potatoes", "tomato": "tomatoes",
    "mango": "mangoes", "calf": "calves", "piece of candy": "pieces of candy", "slice of pizza": "slices of pizza", "piece of cake": "pieces of cake",
    "bottle of water": "bottles of water", "can of soup": "cans of soup", "bar of soap": "bars of soap", "sheet of paper": "sheets of paper",
    "pair of socks": "pairs of socks", "carton of milk": "cartons of milk", "bowl of rice": "bowls of rice", "bag of chips": "bags of chips",
    "glass of juice": "glasses of juice", "stick of gum": "sticks of gum", "box of cereal": "boxes of cereal",
}


def plural(noun: str) -> str:
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    head, _, last = noun.rpartition(" ")
    if last in _IRREGULAR:
        return f"{head} {_IRREGULAR[last]}"
    if noun.endswith(("s", "x", "ch", "sh", "z")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


def _list(text: str) -> list[tuple[str, str]]:
    return [(noun.strip(), plural(noun.strip())) for noun in text.split(",")]


FOODS = _list(
    "apple, orange, banana, pear, peach, plum, cherry, grape, strawberry, lemon, lime, mango, kiwi, melon, fig, date, cookie, cupcake, muffin, brownie, "
    "donut, bagel, pancake, waffle, pretzel, sandwich, burger, hot dog, taco, pizza, slice of pizza, piece of candy, candy bar, chocolate, lollipop, gumball, "
    "jelly bean, carrot, potato, tomato, onion, pepper, cucumber, egg, peanut, walnut, almond, cracker, biscuit, roll, pie, tart, dumpling, sausage, "
    "meatball, olive, radish, turnip, coconut, apricot, blueberry, raspberry, pumpkin, popsicle, granola bar, marshmallow, caramel, mint, piece of cake, loaf")
THINGS = _list(
    "pencil, pen, marker, crayon, eraser, ruler, notebook, book, comic book, magazine, sticker, stamp, card, baseball card, postcard, photo, poster, coin, "
    "marble, toy car, toy truck, doll, puzzle, ball, balloon, kite, block, bead, button, shell, seashell, rock, pebble, feather, key, ring, bracelet, "
    "necklace, hat, cap, sock, shirt, scarf, glove, mitten, belt, ribbon, candle, cup, mug, plate, bowl, spoon, fork, knife, bottle, bottle cap, jar, "
    "lamp, light bulb, battery, nail, screw, bolt, brick, tile, plank, rope, flower, rose, tulip, daisy, lily, sunflower, leaf, acorn, pinecone, plant, "
    "seed, tree, letter, envelope, ticket, token, badge, medal, trophy, video game, movie, CD, record, disk, magnet, whistle, bell, flag, mask, "
    "paper clip, folder, map, globe, robot, yo-yo, dice set, jigsaw, brush, paintbrush, sponge, towel, pillow, blanket, basket, box, ornament, lantern, "
    "gem, crystal, pearl, fossil, stick, straw, napkin, toothbrush, comb, mirror, umbrella, sheet of paper, bar of soap, can of soup, bottle of water")
ANIMALS = _list(
    "dog, cat, bird, duck, chicken, hen, goose, cow, horse, pig, sheep, goat, rabbit, fish, frog, turtle, mouse, hamster, parrot, pigeon, owl, penguin, "
    "deer, fox, wolf, lion, tiger, bear, monkey, zebra, camel, donkey, squirrel, butterfly, bee, ant, snail, crab, puppy, kitten, goldfish, lizard")
PEOPLE = _list("student, child, girl, boy, guest, visitor, passenger, player, teacher, worker, runner, singer, dancer, scout, friend, fan, camper, tourist, sailor, "
               "swimmer, cook, volunteer, soldier, actor, reader, farmer")
CONTAINERS = _list("box, bag, pack, jar, crate, basket, carton, tray, drawer, envelope, bucket, tin, case, packet, bin, sack, package, chest, bowl, tub")
FURNITURE = _list("shelf, table, row, rack, desk, counter, stand, stack, pile, cabinet, wall, column")
ADJECTIVES = ("red blue green yellow white black orange purple pink brown small large big tiny old new shiny wooden plastic round heavy broken silver golden "
              "striped fancy cheap paper glass").split()
PRICED = [noun for noun in THINGS if noun[0] not in {"leaf", "acorn", "pinecone", "tree", "rock", "pebble", "stick", "letter", "photo", "feather"}]


def thing(rng: random.Random, kinds: list[tuple[str, str]], adjectives: bool = True) -> tuple[str, str]:
    """A noun and its plural; one in four is made up."""
    draw = rng.random()
    if draw < 0.25:
        word = made_up(rng)
        pair = (word, plural(word) if word[-1] != "y" else word + "s")
    else:
        pair = rng.choice(kinds)
    if adjectives and rng.random() < 0.1:
        adjective = rng.choice(ADJECTIVES)
        return f"{adjective} {pair[0]}", f"{adjective} {pair[1]}"
    return pair
