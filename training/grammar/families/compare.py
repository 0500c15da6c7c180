"""Totals of parts, and comparisons between people."""
from training.grammar.family import family




@family("total_two", [
    "{n} has {a things} and {n2} has {b things}. How many {things} do they have [together|in all|altogether|in total]?",
    "{n} [picked|found|made|bought] {a things} and {n2} {b}. <all?>",
    "There are {a} red {things} and {b} blue {things}. <all?>",
    "How many {things} do {n} and {n2} have together if {n} has {a} and {n2} has {b}?",
    "In one [box|room|jar] there are {a things}. In another there are {b things}. <all?>",
    "{n} [read|sold|saw|counted] {a things} on Monday and {b things} on Tuesday. How many {things} is that [in all|altogether]?",
    "A shop sold {a things} in the morning and {b things} in the afternoon. How many {things} did it sell?",
    "{a things} are on the table and {b} are on the floor. How many {things} are there?",
    "Find the total number of {things} if {n} has {a things} and {n2} has {b things}.",
], weight=1.2)
def total_two(d):
    d.thing()
    d(a=d.int(2, d.pick(20, 99, 500)), b=d.int(2, d.pick(20, 99, 500)))
    return [(("all", "{Things} in all", "a+b"),)]


@family("total_three", [
    "{n} has {a things}, {n2} has {b} and {n3} has {c}. <all?>",
    "{n} [grew|picked|found|made] {a things}, {n2} [grew|picked|found|made] {b things}, and {n3} {c things}. How many {things} is that [in total|altogether]?",
    "There are {a} red, {b} blue and {c} green {things}. <all?>",
    "{n} counted {a things} on Monday, {b} on Tuesday and {c} on Wednesday. How many {things} did {he} count [in all|altogether]?",
    "A shop sold {a things} on Friday, {b} on Saturday and {c} on Sunday. How many {things} did it sell in total?",
    "How many {things} are there if one box has {a}, another has {b} and a third has {c}?",
    "In three rooms there are {a}, {b} and {c things}. Find how many {things} there are in all.",
    "{n} bought {a things}. Then {he} bought {b} more, and then another {c}. How many {things} did {he} buy?",
], weight=1.0)
def total_three(d):
    d.thing()
    d.third()
    d(a=d.int(2, d.pick(12, 60, 200)), b=d.int(2, d.pick(12, 60, 200)), c=d.int(2, d.pick(12, 60, 200)))
    total = ("all", "{Things} in all")
    return [(("two", "First two", "a+b"), total + ("two+c",))]


@family("difference", [
    "{n} has {a things} and {n2} has {b things}. How many more {things} does {n} have than {n2}?",
    "{n} [found|read|sold|picked] {a things}. {n2} {b}. How many fewer {things} did {n2} get?",
    "How many more {things} does {n} have than {n2} if {n} has {a} and {n2} has {b}?",
    "There are {a} red {things} and {b} blue {things}. How many more red {things} than blue {things} are there?",
    "A shop sold {a things} on Monday and {b things} on Tuesday. How many more did it sell on Monday?",
    "{n2} has {b things}. {n} has {a}. What is the difference?",
    "By how many {things} is {n}'s collection of {a} larger than {n2}'s collection of {b}?",
    "{n} has {a things}, while {n2} has only {b}. How many fewer {things} does {n2} have?",
    "One box holds {a things} and another holds {b}. How many more {things} are in the first box?",
], weight=1.2)
def difference(d):
    d.thing()
    b = d.int(2, d.pick(20, 99, 400))
    d(b=b, a=b + d.int(1, d.pick(20, 99, 300)))
    return [(("more", "Difference", "a-b"),)]


@family("more_or_fewer", {
    "more": [
        "{n} has {a things}. {n2} has {b} more {things} than {n}. How many {things} does {n2} have?",
        "{n2} has {b} more {things} than {n}, who has {a}. How many {things} does {n2} have?",
        "If {n} [found|made|read] {a things} and {n2} {b} more than that, how many {things} did {n2} get?",
        "There are {a} red {things}. There are {b} more blue {things} than red {things}. How many blue {things} are there?",
        "{n} sold {a things} on Monday. On Tuesday {he} sold {b} more than on Monday. How many {things} did {he} sell on Tuesday?",
        "How many {things} does {n2} have if {n} has {a} and {n2} has {b} more?",
        "{n}'s {box} holds {a things}. {n2}'s {box} holds {b} more. How many {things} does {n2}'s {box} hold?",
        "{n} picked {a things}, which is {b} fewer than {n2} picked. How many {things} did {n2} pick?",
    ],
    "fewer": [
        "{n} has {a things}. {n2} has {b} fewer {things} than {n}. How many {things} does {n2} have?",
        "{n2} has {b} fewer {things} than {n}, who has {a}. How many {things} does {n2} have?",
        "If {n} found {a things} and {n2} {b} fewer, how many {things} did {n2} find?",
        "There are {a} red {things}. There are {b} fewer blue ones. How many blue {things} are there?",
        "{n} sold {a things} on Monday. On Tuesday {he} sold {b} fewer. How many {things} did {he} sell on Tuesday?",
        "How many {things} does {n2} have if {n} has {a} and {n2} has {b} less?",
        "{n}'s {box} holds {a things}. {n2}'s {box} holds {b} fewer. How many {things} does {n2}'s {box} hold?",
        "{n} picked {a things}, which is {b} more than {n2} picked. How many {things} did {n2} pick?",
    ]}, weight=1.2)
def more_or_fewer(d):
    d.thing()
    d.box()
    d.kind = d.pick("more", "fewer")
    b = d.int(1, d.pick(12, 50))
    d(b=b, a=d.int(2, d.pick(20, 99)) + (b if d.kind == "fewer" else 0))
    return [(("other", "{Things} of {n2}", "a+b" if d.kind == "more" else "a-b"),)]


@family("compare_total", {
    "more": [
        "{n} has {a things}. {n2} has {b} more than {n}. How many {things} do they have [together|in all|altogether]?",
        "{n} [made|found|read] {a things}. {n2} got {b} more than {n}. <all?>",
        "{n} sold {a things} on Monday and {b} more than that on Tuesday. How many {things} did {he} sell on both days?",
        "If {n2} has {b} more {things} than {n} and {n} has {a}, how many do they have together?",
        "There are {a} red {things} and {b} more blue {things} than red ones. <all?>",
        "{n2} picked {b} more {things} than {n}. {n} picked {a}. How many did they pick altogether?",
        "How many {things} do {n} and {n2} have if {n} has {a} and {n2} has {b} more?",
        "One box has {a things}. The other has {b} more. How many {things} are in both boxes?",
    ],
    "fewer": [
        "{n} has {a things}. {n2} has {b} fewer than {n}. How many {things} do they have [together|in all|altogether]?",
        "{n} found {a things}. {n2} found {b} fewer than {n}. <all?>",
        "{n} sold {a things} on Monday and {b} fewer than that on Tuesday. How many {things} did {he} sell on both days?",
        "If {n2} has {b} fewer {things} than {n} and {n} has {a}, how many do they have together?",
        "There are {a} red {things} and {b} fewer blue ones. <all?>",
        "{n2} picked {b} fewer {things} than {n}. {n} picked {a}. How many did they pick altogether?",
        "How many {things} do {n} and {n2} have if {n} has {a} and {n2} has {b} less?",
        "One box has {a things}. The other has {b} fewer. How many {things} are in both boxes?",
    ],
    "times": [
        "{n} has {a things}. {n2} has {m} times as many. How many {things} do they have [together|in all|altogether]?",
        "{n2} has {m} times as many {things} as {n}. {n} has {a}. <all?>",
        "{n} sold {a things} on Monday and {m} times as many on Tuesday. How many {things} did {he} sell on both days?",
        "There are {a} red {things} and {m} times as many blue ones. <all?>",
        "If {n} found {a things} and {n2} found {m} times that many, how many {things} did they find together?",
        "One box has {a things}. The other has {m} times as many. How many {things} are in both boxes?",
        "How many {things} do {n} and {n2} have together if {n} has {a} and {n2} {m} times as many?",
        "{n2} made {m} times as many {things} as {n}, who made {a}. How many {things} did they make altogether?",
    ],
    "twice": [
        "{n} has {a things}. {n2} has twice as many. How many {things} do they have [together|in all|altogether]?",
        "{n} sold {a things} on Monday and twice as many on Tuesday. How many {things} did {he} sell on both days?",
        "{n2} has twice as many {things} as {n}, who has {a}. <all?>",
        "{n} found {a things} and {n2} found double that number. <all?>",
        "There are {a} red {things} and twice as many blue ones. <all?>",
        "If {n2} has twice as many {things} as {n} and {n} has {a}, how many do they have together?",
        "One box has {a things}. The other has twice as many. How many {things} are in both?",
        "How many {things} did {n} and {n2} read together if {n} read {a} and {n2} twice as many?",
    ],
    "half": [
        "{n} has {a things}. {n2} has half as many. How many {things} do they have [together|in all|altogether]?",
        "{n} sold {a things} on Monday and half as many on Tuesday. How many {things} did {he} sell on both days?",
        "{n2} has half as many {things} as {n}, who has {a}. <all?>",
        "{n} found {a things} and {n2} found half that number. <all?>",
        "There are {a} red {things} and half as many blue ones. <all?>",
        "If {n2} has half as many {things} as {n} and {n} has {a}, how many do they have together?",
        "One box has {a things}. The other has half as many. How many {things} are in both?",
        "{n} sold clips to {a} people in April, and half as many in May. How many people is that altogether?",
    ]}, weight=2.0)
def compare_total(d):
    d.thing()
    d.kind = d.pick("more", "fewer", "times", "twice", "half")
    b = d.int(1, 30)
    d(b=b, a=d.int(3, 50) + (b if d.kind == "fewer" else 0), m=d.int(3, 6))
    if d.kind == "half":
        d(a=2 * d.int(2, 40))
    rule = {"more": "a+b", "fewer": "a-b", "times": "a*m", "twice": "a*2", "half": "a/2"}[d.kind]
    return [(("other", "The other number", rule), ("all", "Total", "a+other"))]


@family("times_as_many", {
    "times": [
        "{n} has {a things}. {n2} has {m} times as many {things}. How many {things} does {n2} have?",
        "{n2} has {m} times as many {things} as {n}. If {n} has {a}, how many does {n2} have?",
        "There are {a} red {things} and {m} times as many blue {things}. How many blue {things} are there?",
        "{n} read {a things} last year and {m} times that many this year. How many {things} did {n} read this year?",
        "How many {things} did {n2} make if {n} made {a} and {n2} made {m} times as many?",
        "A big box holds {m} times as many {things} as a small one. A small box holds {a}. How many {things} does a big box hold?",
        "{n} sold {a things}. {n2} sold {m} times as many. How many did {n2} sell?",
        "If a shop had {a things} and now has {m} times as many, how many {things} does it have now?",
    ],
    "half": [
        "{n} has {a things}. {n2} has half as many {things}. How many {things} does {n2} have?",
        "{n2} has half as many {things} as {n}. If {n} has {a}, how many does {n2} have?",
        "There are {a} red {things} and half as many blue {things}. How many blue {things} are there?",
        "{n} gave half of {his} {a things} to {n2}. How many {things} did {n2} get?",
        "Half of the {a things} are new. How many {things} are new?",
        "How many {things} did {n2} make if {n} made {a} and {n2} made half as many?",
        "{n} sold half of {his} {a things}. How many {things} did {he} sell?",
        "What is half of {a things}?",
    ]}, weight=0.9)
def times_as_many(d):
    d.thing()
    d.kind = d.pick("times", "times", "half")
    d(a=d.int(2, 60) if d.kind == "times" else 2 * d.int(2, 60), m=d.int(2, 9))
    return [(("other", "Number asked", "a*m" if d.kind == "times" else "a/2"),)]


@family("part_of_total", [
    "A box holds {t things}. {a} are new, {b} are old, and the rest are broken. How many {things} are broken?",
    "{n} read {t things} in three days: {a} on the first and {b} on the second. How many {things} did {he} read on the third day?",
    "Of {t things}, {a} belong to {n} and {b} to {n2}. The others are {n3}'s. How many {things} does {n3} have?",
    "{n} needs {t things}. {He} already has {a} and {n2} gives {him} {b}. How many more does {he} need?",
    "{n} has to make {t things}. {He} made {a} yesterday and {b} today. How many {things} must {he} still make?",
    "There are {t things}. {a} of them are red, {b} are green and the rest are blue. How many {things} are blue?",
    "A class of {t} has {a} who walk to school and {b} who come by bus. The rest come by car. How many come by car?",
    "In all there are {t things} in three boxes. One has {a} and another {b}. How many are in the third?",
], weight=0.9)
def part_of_total(d):
    d.thing()
    d.third()
    a, b = d.int(2, 60), d.int(2, 60)
    d(a=a, b=b, t=a + b + d.int(2, 60))
    return [(("used", "Known part", "a+b"), ("rest", "The rest", "t-used"))]


@family("give_and_compare", [
    "{n} has {a things}. {n2} has {m} times as many. {n2} gives away {c things}. How many {things} does {n2} have left?",
    "{n2} has {m} times as many {things} as {n}, who has {a}. Then {n2} loses {c}. How many {things} does {n2} have now?",
    "{n} found {a things}. {n2} found {m} times as many but lost {c} of them. How many {things} does {n2} have?",
    "{n2} has {c} fewer than {m} times as many {things} as {n}. {n} has {a things}. How many {things} does {n2} have?",
    "If {n} has {a things} and {n2} has {c} fewer than {m} times that number, how many {things} does {n2} have?",
    "There are {a} red {things} and {m} times as many blue ones. {c} blue {things} are sold. How many blue {things} are left?",
    "{n} made {a things}. {n2} made {m} times as many and sold {c}. How many {things} does {n2} have left?",
    "{n2} picked {m} times as many {things} as {n} and ate {c}. {n} picked {a}. How many does {n2} have left?",
], weight=1.0)
def give_and_compare(d):
    d.thing()
    a, m = d.int(3, 30), d.int(2, 6)
    d(a=a, m=m, c=d.int(2, a * m - 1))
    return [(("times", "Number before", "a*m"), ("left", "Number left", "times-c"))]
