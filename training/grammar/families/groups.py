"""Equal groups: building them up, sharing them out, and what changes afterwards."""
from training.grammar.family import family
from training.grammar.objects import CONTAINERS, FOODS, PEOPLE

HOLD = "[with|of|that hold|containing]"


@family("groups", [
    "{n} has {g boxs} with {k things} [each|in each|in each {box}]. How many {things} does {n} have [in all|altogether|in total]?",
    "There are {g boxs} and each {box} [has|holds|contains] {k things}. <all?>",
    "Each {box} [holds|has|contains] {k things}. How many {things} are in {g boxs}?",
    "{n} bought {g boxs} of {things}. Each {box} had {k things} in it. How many {things} did {n} buy?",
    "How many {things} are there in {g boxs} of {k things} each?",
    "If one {box} holds {k things}, how many {things} [fit in|can {g boxs} hold, that is, what fits in] {g boxs}?",
    "{n} put {k things} into each of {g boxs}. How many {things} did {he} use?",
    "A [shop|school|club] ordered {g boxs} of {things} with {k} in each. How many {things} is that?",
    "{g boxs} stand in a room. {n} counts {k things} in every {box}. Find the number of {things}.",
    "For a party {n} filled {g boxs}. {He} put {k things} in each {box}. How many {things} are in the {boxs} [altogether|in total]?",
], weight=1.4)
def groups(d):
    d.thing()
    d.box()
    d(g=d.int(2, d.pick(9, 12, 30)), k=d.int(2, d.pick(9, 12, 40)))
    return [(("all", "{Things} in {boxs}", "g*k"),)]


GROUPS_OPEN = [
    "{n} has {g boxs} with {k things} [each|in each|in each {box}].",
    "There are {g boxs}. Each {box} [has|holds|contains] {k things}.",
    "{n} bought {g boxs} of {things} with {k things} in each.",
    "{n} [has|got|owns] {g boxs}, each " + HOLD + " {k things}.",
    "{n} filled {g boxs} with {k things} each.",
    "Each of {n}'s {g boxs} holds {k things}.",
    "{n} got {g boxs} of {k things} each.",
    "A {box} holds {k things}. {n} has {g boxs}.",
]


@family("groups_then_loss",
        [f"{opening} {{He}} {change} <left?>" for opening in GROUPS_OPEN
         for change in ("<lost c>.", "[gives away|sells|loses|uses|breaks|throws away|gives {n2}|returns] {c things}.")]
        + [
            "If {n} has {g boxs} of {k things} and gives {c things} to {n2}, how many {things} are left?",
            "<left?> {He} had {g boxs} with {k things} each, but {he} <lost c>.",
            "{n} packed {k things} into each of {g boxs}. Then {c things} [fell out|were taken out|broke|were sold]. How many {things} are left?",
            "From {g boxs} of {k things} each, {n} took out {c things}. How many {things} remain in the {boxs}?",
        ], weight=1.8)
def groups_then_loss(d):
    d.thing(FOODS) if d.chance(0.3) else d.thing()
    d.box()
    d(g=d.int(2, d.pick(9, 12)), k=d.int(2, d.pick(9, 12, 30)))
    d(c=d.int(1, d["g"] * d["k"] - 1))
    return [(("all", "{Things} in {boxs}", "g*k"), ("left", "{Things} left", "all-c"))]


@family("groups_then_gain",
        [f"{opening} {change} <now?>" for opening in GROUPS_OPEN
         for change in ("{He} <got c>.", "{n2} gives {him} {c} more {things}.")]
        + [
            "{n} has {g boxs} of {k things} and {c} loose {things}. How many {things} does {n} have [in all|altogether|in total]?",
            "Besides {c} loose {things}, {n} has {g boxs} with {k things} each. <all?>",
            "There are {c things} on the table and {g boxs} with {k things} in each. How many {things} are there [altogether|in total]?",
            "{n} had {c things}. Then {he} bought {g boxs} of {k things} each. <now?>",
        ], weight=1.6)
def groups_then_gain(d):
    d.thing()
    d.box()
    d(g=d.int(2, d.pick(9, 12)), k=d.int(2, d.pick(9, 12, 25)), c=d.int(1, d.pick(20, 60, 99)))
    return [(("all", "{Things} in {boxs}", "g*k"), ("now", "{Things} now", "all+c"))]


@family("two_kinds_of_groups", [
    "{n} has {g boxs} with {k things} each and {h bags} with {m things} each. <all?>",
    "There are {g boxs} of {k things} and {h bags} of {m things}. How many {things} are there [in all|altogether|in total]?",
    "{n} bought {g boxs} and {h bags} of {things}. Each {box} had {k things} and each {bag} had {m}. How many {things} did {n} buy?",
    "Each {box} holds {k things}, and each {bag} holds {m things}. How many {things} are in {g boxs} and {h bags}?",
    "{n} filled {g boxs} with {k things} each. {n2} filled {h bags} with {m things} each. How many {things} did they use [altogether|in total]?",
    "How many {things} are in {g boxs} of {k} and {h bags} of {m} [together|in all]?",
    "In a shop {g boxs} hold {k things} each. The other {h bags} hold {m things} each. Find the total number of {things}.",
    "{n} counts {g boxs} with {k things} in each, and then {h bags} with {m things} in each. How many {things} does {he} count?",
], weight=1.1)
def two_kinds_of_groups(d):
    d.thing()
    d.noun("box", CONTAINERS[:10])
    d.noun("bag", CONTAINERS[10:])
    d(g=d.int(2, 9), k=d.int(2, 12), h=d.int(2, 9), m=d.int(2, 12))
    first = ("first", "{Things} in {boxs}", "g*k")
    second = ("second", "{Things} in {bags}", "h*m")
    total = ("total", "{Things} in all", "first+second")
    return [(first, second, total), (second, first, total)]


@family("two_things_in_groups", [
    "{n} found {g boxs}. Inside each {box} there were {a things} and {b thing2s}. How many [items|things] did {n} find [in all|altogether]?",
    "There are {g boxs}. Each {box} holds {a things} and {b thing2s}. How many [items|objects] are there in total?",
    "{n} makes {g boxs} with {a things} and {b thing2s} in each. How many [items|pieces] does {he} need?",
    "Each of the {g boxs} has {a things} and {b thing2s}. Find how many [items|pieces] there are altogether.",
    "A {box} contains {a things} and {b thing2s}. How many [items|objects] are in {g boxs}?",
    "{n} is packing {g boxs}. {He} puts {a things} and {b thing2s} in each. How many items does {he} pack?",
    "If every {box} gets {a things} and {b thing2s}, how many items are in {g boxs}?",
    "{n} has {g boxs}, each with {a things} and {b thing2s}. What is the total number of items?",
], weight=1.0)
def two_things_in_groups(d):
    d.thing()
    d.thing(suffix="2")
    d.box()
    d(g=d.int(2, 12), a=d.int(2, 12), b=d.int(2, 12))
    return [(("each", "Items in each {box}", "a+b"), ("total", "Items in all", "g*each")),
            (("first", "{Things} in all", "g*a"), ("second", "{Thing2s} in all", "g*b"), ("total", "Items in all", "first+second"))]


@family("share", [
    "{n} has {t things}. {He} [shares|splits|divides] them equally among {g peoples}. How many {things} does each {people} get?",
    "{t things} are shared equally [by|among] {g peoples}. How many {things} does each [one|{people}] get?",
    "{n} puts {t things} into {g boxs} with the same number in each. How many {things} are in each {box}?",
    "If {t things} are divided equally into {g boxs}, how many {things} are in each {box}?",
    "{n} wants to put {t things} equally into {g boxs}. How many {things} go in each?",
    "How many {things} does each of {g peoples} get if they share {t things} equally?",
    "A teacher gives out {t things} to {g peoples}, the same number to each. How many does each {people} get?",
    "There are {t things} in {g boxs}. Every {box} holds the same number of {things}. How many {things} are in one {box}?",
    "{n} split {t things} evenly between {g boxs}. How many {things} are in a {box}?",
], weight=1.1)
def share(d):
    d.thing()
    d.box()
    d.noun("people", PEOPLE)
    g, k = d.int(2, d.pick(9, 12)), d.int(2, d.pick(9, 12, 40))
    d(g=g, t=g * k)
    return [(("each", "{Things} in each", "t/g"),)]


@family("how_many_groups", [
    "{n} has {t things}. {He} puts {k} in each {box}. How many {boxs} does {he} need?",
    "{n} is putting {t things} into {boxs} of {k} each. How many {boxs} [will {he} fill|are needed]?",
    "How many {boxs} are needed for {t things} if each {box} holds {k things}?",
    "A {box} holds {k things}. How many {boxs} can be filled with {t things}?",
    "{t things} are packed in {boxs} of {k things} each. How many {boxs} are there?",
    "If {n} can put {k things} in one {box}, how many {boxs} does {he} need for {t things}?",
    "{n} sorted {t things} into groups of {k}, one group for each {box}. How many {boxs} did {he} use?",
    "{n} bought {t things}. They come in {boxs} of {k}. How many {boxs} did {n} buy?",
    "There are {t things}, {k} in each {box}. Find the number of {boxs}.",
], weight=1.1)
def how_many_groups(d):
    d.thing()
    d.box()
    k, g = d.int(2, d.pick(9, 12)), d.int(2, d.pick(9, 12, 30))
    d(k=k, t=g * k)
    return [(("boxes", "{Boxs}", "t/k"),)]


@family("change_then_share", {
    "loss": [
        "{n} had {t things}. {He} <lost c>. {He} put the rest equally into {g boxs}. How many {things} are in each {box}?",
        "{n} picked {t things}. {n2} took {c} of them. The rest were shared equally by {g peoples}. How many {things} did each {people} get?",
        "There were {t things}. After {c} were [sold|eaten|lost|thrown away], the others were put equally into {g boxs}. How many {things} does each {box} hold?",
        "{n} has {t things}, but {c} of them are [broken|old|bad]. {He} puts the good ones into {g boxs}, the same number in each. How many {things} go in each {box}?",
        "If {n} gives {c} of {his} {t things} to {n2} and puts the rest into {g boxs} equally, how many {things} are in each {box}?",
        "Of {t things}, {c} were used. The remaining {things} were divided among {g peoples}. How many did each {people} get?",
        "A club had {t things}. It sold {c} and gave the rest equally to {g peoples}. How many {things} did each {people} get?",
        "{n} baked {t things} and ate {c}. The others fill {g boxs} equally. How many {things} are in a {box}?",
    ],
    "gain": [
        "{n} had {t things} and <got c>. {He} put them all equally into {g boxs}. How many {things} are in each {box}?",
        "{n} has {t things} and {n2} has {c things}. They share them all equally among {g peoples}. How many {things} does each {people} get?",
        "{n} picked {t things} and {n2} picked {c}. They put them all into {g boxs} equally. How many {things} are in each {box}?",
        "There are {t things} on one table and {c things} on another. All are divided equally into {g boxs}. How many {things} are in each?",
        "If {t things} and {c} more are shared by {g peoples}, how many {things} does each get?",
        "A shop had {t things} and got {c} more. It sold all of them in {g boxs} of equal size. How many {things} were in each {box}?",
        "{n} made {t things} yesterday and {c things} today. {He} packs them equally in {g boxs}. How many {things} are in each {box}?",
        "{n} buys {t things}, then {c} more, and gives them out equally to {g peoples}. How many {things} does each {people} get?",
    ]}, weight=1.3)
def change_then_share(d):
    d.thing()
    d.box()
    d.noun("people", PEOPLE)
    d.kind = d.pick("loss", "gain")
    g, k = d.int(2, 10), d.int(2, 12)
    if d.kind == "loss":
        c = d.int(1, 30)
        d(g=g, t=g * k + c, c=c)
        return [(("rest", "{Things} left", "t-c"), ("each", "{Things} in each", "rest/g"))]
    c = d.int(1, max(2, g * k - 1)) if g * k > 2 else 1
    d(g=g, t=max(1, g * k - c), c=g * k - max(1, g * k - c))
    if d["c"] < 1:
        d(c=1, t=g * k - 1)
    return [(("all", "{Things} in all", "t+c"), ("each", "{Things} in each", "all/g"))]


@family("change_then_group", {
    "loss": [
        "{n} had {t things}. {He} <lost c>. {He} puts the rest in {boxs} of {k}. How many {boxs} [can|does] {he} fill?",
        "{n} picked {t things} but {c} of them were bad. If {he} puts {k} good ones in each {box}, how many {boxs} does {he} fill?",
        "There were {t things}. {c} of them [were sold|broke|got lost]. The others are packed {k} to a {box}. How many {boxs} are needed?",
        "{n} baked {t things} and ate {c} of them. {He} packs the rest in {boxs} with {k things} each. How many {boxs} does {he} need?",
        "Of {t things}, {c} are given away. How many {boxs} of {k things} can be made from the rest?",
        "{t peoples} want to ride, but {c} of them went home. Each {box} holds {k}. How many {boxs} do the rest need?",
        "If {n} uses {c} of {his} {t things}, how many {boxs} of {k} can {he} fill with the others?",
        "A school had {t things}. It gave {c} to the teachers. The rest went in {boxs} of {k}. How many {boxs} were there?",
    ],
    "gain": [
        "{n} had {t things} and <got c>. {He} puts them all in {boxs} of {k}. How many {boxs} does {he} need?",
        "{n} has {t things} and {n2} has {c}. They pack them together, {k} to a {box}. How many {boxs} do they fill?",
        "There are {t things} and {c} more come in. Each {box} holds {k things}. How many {boxs} are needed for all of them?",
        "{n} made {t things} in the morning and {c} in the afternoon. {He} puts {k} in each {box}. How many {boxs} can {he} fill?",
        "{t} boys and {c} girls go on a trip. Each car holds {k} of them. How many cars do they need?",
        "If {n} adds {c things} to the {t} {he} has, how many {boxs} of {k} can {he} make?",
        "How many {boxs} of {k things} are needed for {t} red and {c} blue {things}?",
        "A team with {t} new players and {c} old players splits into groups of {k}. How many groups are there?",
    ]}, weight=1.2)
def change_then_group(d):
    d.thing()
    d.box()
    d.noun("people", PEOPLE)
    d.kind = d.pick("loss", "gain")
    k, g = d.int(2, 10), d.int(2, 12)
    if d.kind == "loss":
        c = d.int(1, 30)
        d(k=k, t=g * k + c, c=c)
        return [(("rest", "Number left", "t-c"), ("groups", "Number of groups", "rest/k"))]
    c = d.int(1, g * k - 1)
    d(k=k, t=g * k - c, c=c)
    return [(("all", "Number in all", "t+c"), ("groups", "Number of groups", "all/k"))]


@family("leftover", [
    "{n} has {t things}. {He} fills {g boxs} with {k things} each. How many {things} are left over?",
    "{n} packs {t things} into {g boxs}, {k} in each. How many {things} [remain|are left|do not fit]?",
    "There are {t things}. {g peoples} take {k things} each. How many {things} are left?",
    "From {t things}, {n} gives {k} to each of {g peoples}. How many {things} does {n} have left?",
    "If {g peoples} each get {k} of the {t things}, how many {things} are left over?",
    "{n} baked {t things}. {He} gave {g peoples} {k things} each. <left?>",
    "How many of {n}'s {t things} are left after {he} puts {k} into each of {g boxs}?",
    "A school has {t things}. Each of {g peoples} gets {k}. Find how many {things} remain.",
    "{n} bought {t things} for {his} friends. If {he} gives {k things} to each of {g} friends, how many {things} are left?",
], weight=1.2)
def leftover(d):
    d.thing()
    d.box()
    d.noun("people", PEOPLE)
    g, k = d.int(2, 12), d.int(2, 12)
    d(g=g, k=k, t=g * k + d.int(1, 40))
    return [(("used", "{Things} used", "g*k"), ("left", "{Things} left", "t-used"))]


@family("remainder", [
    "{n} has {t things} and puts {k} in each {box}. How many {things} are left over when as many {boxs} as possible are full?",
    "{t things} are shared equally among {k peoples}, and each gets as many as possible. How many {things} are left over?",
    "What is the remainder when {t} is divided by {k}?",
    "{n} makes full {boxs} of {k things} from {t things}. How many {things} do not fit?",
    "Find the remainder of {t} divided by {k}.",
    "If {t things} are packed {k} to a {box}, how many are left after all full {boxs} are packed?",
    "{k peoples} share {t things} fairly and leave the rest. How many {things} are left?",
    "How many {things} are left over when {t things} are put in groups of {k}?",
], weight=0.7)
def remainder(d):
    d.thing()
    d.box()
    d.noun("people", PEOPLE)
    k, q = d.int(3, 9), d.int(2, 12)
    d(k=k, q=q, t=q * k + d.int(1, k - 1))
    return [(("used", "Largest multiple", "q*k"), ("left", "Left over", "t-used"))]


@family("groups_of_groups", [
    "There are {f} [shops|rooms|halls] with {g boxs} in each. Each {box} holds {k things}. <all?>",
    "{n} has {f} shelves. Each shelf has {g boxs}, and each {box} has {k things}. How many {things} does {n} have [in all|altogether]?",
    "A truck carries {f} pallets with {g boxs} each. There are {k things} in every {box}. How many {things} does the truck carry?",
    "{n} works {f} days. Each day {he} fills {g boxs} with {k things}. How many {things} does {he} pack?",
    "How many {things} are in {f} rooms with {g boxs} each, if a {box} holds {k things}?",
    "Each of {f} classes got {g boxs} of {things}. A {box} has {k things}. Find the total number of {things}.",
    "{f} friends bring {g boxs} each. Every {box} has {k things}. How many {things} do they bring?",
    "In a hall there are {f} tables. On each there are {g boxs} of {k things}. How many {things} are in the hall?",
], held_out=True)
def groups_of_groups(d):
    d.thing()
    d.noun("box", CONTAINERS)
    d(f=d.int(2, 6), g=d.int(2, 9), k=d.int(2, 9))
    return [(("boxes", "{Boxs} in all", "f*g"), ("all", "{Things} in all", "boxes*k")),
            (("each", "{Things} in each group", "g*k"), ("all", "{Things} in all", "f*each"))]


@family("groups_loss_share", [
    "{n} has {g boxs} with {k things} each. {He} <lost c> and shares the rest equally among {h peoples}. How many {things} does each {people} get?",
    "There are {g boxs} of {k things}. After {c things} are sold, the rest are divided equally among {h peoples}. How many does each get?",
    "{n} bought {g boxs} of {things} with {k} in each. {c things} were broken. The others went equally to {h peoples}. How many {things} did each {people} get?",
    "From {g boxs} of {k things} each, {n} keeps {c things} and gives the rest equally to {h peoples}. How many {things} does each get?",
    "If {g boxs} hold {k things} each and {c} are taken out, how many {things} does each of {h peoples} get when the rest are shared?",
    "{n} filled {g boxs} with {k things} each, lost {c things}, and gave the rest equally to {h peoples}. How many {things} did each {people} get?",
    "Each of {g boxs} has {k things}. {n} uses {c} of them and splits the others evenly between {h peoples}. How many {things} are there for each?",
    "A club has {g boxs} of {k things}. It gives away {c things} first. Then {h peoples} share the rest equally. How many {things} does a {people} get?",
], held_out=True)
def groups_loss_share(d):
    d.thing()
    d.box()
    d.noun("people", PEOPLE)
    g, k, h = d.int(2, 9), d.int(3, 12), d.int(2, 6)
    total = g * k
    shares = [e for e in range(1, total // h + 1) if 1 <= total - e * h <= total // 2]
    e = d.pick(*shares) if shares else 0
    d(g=g, k=k, h=h, c=total - e * h)
    return [(("all", "{Things} in {boxs}", "g*k"), ("left", "{Things} left", "all-c"), ("each", "{Things} for each", "left/h"))]
