"""Lengths, areas, speeds, times, units and fractions of quantities."""
from fractions import Fraction

from training.grammar.family import family
from training.grammar.objects import ANIMALS


@family("distance", {
    "distance": ["A [car|bus|train|truck] drives {v} [miles|km] an hour for {k} hours. How far does it go?", "{n} walks {v} km an hour. How far does {he} walk in {k} hours?", "How far does a train go in {k} hours at {v} km per hour?",
                 "{n} rides {v} miles each hour. How many miles does {he} ride in {k} hours?", "At {v} miles per hour, how far does {n} drive in {k} hours?", "A boat travels at {v} km/h. How far does it get in {k} hours?",
                 "{n} runs {v} meters a minute. How many meters does {he} run in {k} minutes?", "If {n} cycles {v} km per hour for {k} hours, what distance does {he} cover?"],
    "time": ["A [car|bus|train|truck] drives {v} km an hour. How many hours does it need for {t} km?", "{n} walks {v} km an hour. How long does {he} need for {t} km?", "How many hours does a train need for {t} km at {v} km per hour?",
             "{n} rides {v} miles each hour. In how many hours does {he} ride {t} miles?", "At {v} miles per hour, how long does it take to drive {t} miles?", "A boat travels at {v} km/h. In how many hours does it travel {t} km?",
             "{n} runs {v} meters a minute. How many minutes does {he} need for {t} meters?", "If {n} cycles {v} km per hour, how many hours are needed for {t} km?"],
    "speed": ["A [car|bus|train|truck] drives {t} km in {k} hours. What is its speed?", "{n} walks {t} km in {k} hours. How many km does {he} walk in an hour?", "What is the speed of a train that goes {t} km in {k} hours?",
              "{n} rides {t} miles in {k} hours. How many miles an hour is that?", "If it takes {k} hours to drive {t} miles, what is the speed?", "A boat travels {t} km in {k} hours. Find its speed in km per hour.",
              "{n} runs {t} meters in {k} minutes. How many meters a minute is that?", "{n} covers {t} km in {k} hours. What is {his} average speed?"],
}, weight=1.1)
def distance(d):
    d.kind = d.pick("distance", "time", "speed")
    v, k = d.int(2, d.pick(12, 90)), d.int(2, 9)
    d(v=v, k=k, t=v * k)
    return [(("x", {"distance": "Distance", "time": "Time", "speed": "Speed"}[d.kind], {"distance": "v*k", "time": "t/v", "speed": "t/k"}[d.kind]),)]


@family("two_leg_trip", [
    "A car drives {k} hours at {v} km an hour and then {m} hours at {w} km an hour. How far does it go?", "{n} rides {k} hours at {v} km/h and {m} hours at {w} km/h. How far does {he} ride [in all|altogether]?",
    "How far does a train go in {k} hours at {v} km per hour and {m} hours at {w} km per hour?", "{n} walks {v} km an hour for {k} hours, then {w} km an hour for {m} hours. How many km is that?",
    "First {n} drives at {v} miles an hour for {k} hours. Then {he} drives at {w} miles an hour for {m} hours. Find the total distance.", "A boat goes {v} km an hour for {k} hours and {w} km an hour for another {m} hours. What distance does it travel?",
    "{n} runs {k} minutes at {v} meters a minute and {m} minutes at {w} meters a minute. How many meters does {he} run?", "A bus goes for {k} hours at {v} km/h, stops, and goes on for {m} hours at {w} km/h. How far does it go?",
], weight=0.8)
def two_leg_trip(d):
    v, w = d.distinct(2, 3, 60)
    d(v=v, w=w, k=d.int(2, 6), m=d.int(2, 6))
    first, second = ("first", "First part", "k*v"), ("second", "Second part", "m*w")
    total = ("total", "Total distance", "first+second")
    return [(first, second, total), (second, first, total)]


@family("miles_left", [
    "{n} wants to [drive|ride|walk] {t} miles. {He} goes {a} miles in the morning and {b} miles in the afternoon. How many miles are left?", "A trip is {t} km long. {n} drives {a} km on the first day and {b} km on the second. How far is it still?",
    "The road is {t} km long. {n} has walked {a} km and then {b} km more. How many km remain?", "How much of a {t} mile trip is left after {a} miles and then {b} miles?",
    "{n} has to run {t} meters. {He} ran {a} meters, rested, and ran {b} meters. How many meters are left?", "A book has {t} pages. {n} read {a} pages yesterday and {b} today. How many pages are left?",
    "{n} is reading a book of {t} pages. After {a} pages on Monday and {b} on Tuesday, how many pages does {he} still have to read?", "A rope is {t} m long. {n} cuts off {a} m and then {b} m. How long is the rest?",
], weight=0.9)
def miles_left(d):
    a, b = d.int(2, 90), d.int(2, 90)
    d(a=a, b=b, t=a + b + d.int(1, 90))
    return [(("done", "Done so far", "a+b"), ("left", "Left", "t-done")), (("first", "After the first", "t-a"), ("left", "Left", "first-b"))]


@family("area", {
    "rectangle": ["A rectangle is {a} m long and {b} m wide. What is its area?", "Find the area of a rectangle with sides {a} and {b}.", "A room is {a} feet by {b} feet. What is the area of the floor?", "What is the area of a {a} by {b} rectangle?",
                  "{n}'s garden is {a} m long and {b} m wide. How many square meters is it?", "The length of a field is {a} m and its width is {b} m. Find the area.", "How many square tiles of side 1 cover a floor of {a} by {b}?", "A poster measures {a} cm by {b} cm. What is its area?"],
    "square": ["A square has a side of {a} cm. What is its area?", "Find the area of a square with side {a}.", "A square room is {a} feet on each side. What is its area?", "What is the area of a square whose side is {a}?",
               "{n}'s square garden has sides of {a} m. How many square meters is it?", "Each side of a square is {a} m. Find its area.", "A square tile has side {a} cm. What is its area?", "A square field is {a} m wide. What is its area?"],
    "triangle": ["A triangle has base {t} and height {b}. What is its area?", "Find the area of a triangle with base {t} cm and height {b} cm.", "The base of a triangle is {t} m and the height is {b} m. Find the area.", "What is the area of a triangle of base {t} and height {b}?",
                 "{n} draws a triangle with a base of {t} cm and a height of {b} cm. What is its area?", "A sail is a triangle with base {t} m and height {b} m. What is its area?", "A triangle is {b} cm high and its base is {t} cm. What is its area?", "How large is a triangle with base {t} and height {b}?"],
}, weight=0.9)
def area(d):
    d.kind = d.pick("rectangle", "square", "triangle")
    a, b = d.int(2, d.pick(12, 30)), d.int(2, 12)
    d(a=a, b=b, t=2 * a, two=2)
    if d.kind == "triangle":
        return [(("box", "Base times height", "t*b"), ("area", "Area", "box/two"))]
    return [(("area", "Area", "a*b" if d.kind == "rectangle" else "a*a"),)]


@family("perimeter", {
    "rectangle": ["A rectangle is {a} m long and {b} m wide. What is its perimeter?", "Find the perimeter of a rectangle with sides {a} and {b}.", "A field is {a} m by {b} m. How long is a fence around it?", "What is the perimeter of a {a} by {b} rectangle?",
                  "{n} walks once around a garden that is {a} m long and {b} m wide. How far does {he} walk?", "The length of a rectangle is {a} cm and its width is {b} cm. Find the perimeter.", "How much fence does {n} need for a yard of {a} by {b} feet?", "A picture is {a} cm long and {b} cm wide. How long is its frame?"],
    "square": ["A square has a side of {a} cm. What is its perimeter?", "Find the perimeter of a square with side {a}.", "A square field has sides of {a} m. How long is a fence around it?", "What is the perimeter of a square whose side is {a}?",
               "{n} walks once around a square garden of side {a} m. How far does {he} walk?", "Each side of a square is {a} m. Find the perimeter.", "How long is the border of a square of side {a}?", "A square tile has side {a} cm. How long is its edge all around?"],
}, weight=0.9)
def perimeter(d):
    d.kind = d.pick("rectangle", "rectangle", "square")
    a, b = d.distinct(2, 2, 40)
    d(a=a, b=b, two=2, four=4)
    if d.kind == "square":
        return [(("p", "Perimeter", "four*a"),)]
    return [(("half", "Length plus width", "a+b"), ("p", "Perimeter", "two*half"))]


UNITS = (("hours", "minutes", 60), ("minutes", "seconds", 60), ("days", "hours", 24), ("weeks", "days", 7), ("feet", "inches", 12), ("yards", "feet", 3),
         ("dozen", "eggs", 12), ("meters", "centimeters", 100), ("years", "months", 12), ("dollars", "cents", 100), ("kilograms", "grams", 1000), ("gallons", "quarts", 4))


@family("convert", {
    "down": ["How many {small} are in {k} {big}?", "Convert {k} {big} to {small}.", "{k} {big} are how many {small}?", "What is {k} {big} in {small}?", "{n} has {k} {big}. How many {small} is that?", "Write {k} {big} in {small}.",
             "{n} counts {k} {big}. How many {small} are there?", "Find the number of {small} in {k} {big}."],
    "down plus": ["How many {small} are {k} {big} and {r} {small}?", "Convert {k} {big} and {r} {small} to {small}.", "{n} has {k} {big} and {r} {small}. How many {small} is that?", "What is {k} {big} {r} {small} in {small}?",
                  "{k} {big} and {r} {small} make how many {small}?", "Write {k} {big} and {r} {small} in {small}.", "Find {k} {big} plus {r} {small} in {small}.", "How many {small} does {n} get from {k} {big} and {r} {small}?"],
    "up": ["How many {big} are {t} {small}?", "Convert {t} {small} to {big}.", "{t} {small} are how many {big}?", "What is {t} {small} in {big}?", "{n} has {t} {small}. How many {big} is that?", "Write {t} {small} in {big}.",
           "{n} counts {t} {small}. How many {big} are there?", "Find the number of {big} in {t} {small}."],
}, weight=1.0)
def convert(d):
    d.kind = d.pick("down", "down plus", "up")
    big, small, size = d.pick(*UNITS)
    k = d.int(2, 12)
    d(big=big, small=small, size=size, k=k, t=k * size, r=d.int(1, size - 1))
    if d.kind == "up":
        return [(("x", "Number of {big}", "t/size"),)]
    whole = ("x", "Number of {small}", "k*size")
    return [(whole,)] if d.kind == "down" else [(whole, ("all", "{Small} in all", "x+r"))]


@family("dozens", [
    "{n} has {k} dozen {things} and gives {c} to {n2}. How many {things} are left?", "From {k} dozen {things} {n} uses {c}. How many {things} remain?", "There were {k} dozen {things}. {c} of them broke. How many {things} are left?", "{n} bakes {k} dozen {things} and eats {c}. How many {things} does {he} have left?",
    "{n} bought {k} dozen {things}. {He} lost {c} of them. How many {things} does {he} have now?", "A shop had {k} dozen {things} and sold {c things}. How many {things} are left?", "<left?> {He} had {k} dozen {things} and gave {n2} {c}.", "If {n} uses {c} of {k} dozen {things}, how many {things} are left?",
], weight=0.7)
def dozens(d):
    d.thing()
    k = d.int(2, 9)
    d(k=k, dozen=12, c=d.int(1, 12 * k - 1))
    return [(("all", "{Things} at first", "k*dozen"), ("left", "{Things} left", "all-c"))]


@family("fraction_of", {
    "of": ["What is {f} of {a}?", "Find {f} of {a}.", "{n} has {a things}. {f} of them are red. How many {things} are red?", "{n} gave {f} of {his} {a things} to {n2}. How many {things} did {n2} get?", "{f} of the {a things} were sold. How many {things} were sold?",
           "A class has {a} students. {f} of them walk to school. How many walk to school?", "How many is {f} of {a things}?", "{n} read {f} of a book of {a} pages. How many pages did {he} read?"],
    "left": ["{n} has {a things} and gives {f} of them to {n2}. How many {things} are left?", "{n} read {f} of a book of {a} pages. How many pages are left?", "A tank holds {a} liters. {f} of it is used. How many liters are left?", "{f} of {a things} were sold. How many {things} were not sold?",
             "{n} spent {f} of {his} {a} dollars. How much money is left?", "A class has {a} students. {f} of them are boys. How many are girls?", "If {n} eats {f} of {a things}, how many {things} are left?", "{f} of the {a things} are old. The rest are new. How many {things} are new?"],
}, weight=1.1)
def fraction_of(d):
    d.thing()
    d.kind = d.pick("of", "left")
    bottom = d.pick(2, 3, 4, 5, 6, 8, 10)
    top = 1 if d.chance(0.5) else d.int(1, bottom - 1)
    names = {2: "half", 3: "third", 4: "quarter", 5: "fifth"}
    d(top=top, bottom=bottom, a=bottom * d.int(2, 20))
    words = bottom in names and d.chance(0.4)
    if bottom == 2:
        text = d.pick("half", "1/2", "one half")
    elif words:
        text = f"{'one' if top == 1 else ('two', 'three', 'four')[top - 2]} {names[bottom]}{'s' if top > 1 else ''}"
    else:
        text = f"{top}/{bottom}"
    d(f=text)
    plan = [("one", "One part", "a/bottom")]
    if top > 1:
        plan.append(("part", "The part", "one*top"))
    if d.kind == "left":
        plan.append(("left", "The rest", f"a-{plan[-1][0]}"))
    return [tuple(plan)]


@family("ratio", [
    "The ratio of red to blue {things} is {p}:{q}. There are {a} red {things}. How many are blue?", "For every {p} red {things} there are {q} blue ones. If there are {a} red {things}, how many are blue?",
    "{n} mixes {p} cups of juice with {q} cups of water. With {a} cups of juice, how many cups of water does {he} need?", "A recipe needs {q} eggs for {p} cups of flour. How many eggs are needed for {a} cups of flour?",
    "In a class there are {q} girls for every {p} boys. There are {a} boys. How many girls are there?", "{n} gets {q} points for every {p things}. How many points does {he} get for {a things}?",
    "A map shows {p} cm for {q} km. How many km are {a} cm?", "Boys and girls are in the ratio {p} to {q}. If there are {a} boys, how many girls are there?",
], weight=0.8)
def ratio(d):
    d.thing()
    p, q = d.distinct(2, 2, 9)
    d(p=p, q=q, a=p * d.int(2, 12))
    return [(("times", "How many times", "a/p"), ("other", "The other number", "times*q"))]


@family("work_rate", [
    "{n} makes {a things} an hour and {n2} makes {b}. How many {things} do they make together in {k} hours?", "One machine makes {a things} an hour, another {b}. How many {things} do both make in {k} hours?",
    "{n} paints {a things} a day, {n2} paints {b}. How many {things} do they paint in {k} days?", "Two pipes bring {a} and {b} liters a minute. How many liters come in {k} minutes?",
    "How many {things} do {n} and {n2} pack in {k} hours if {n} packs {a} and {n2} packs {b} an hour?", "In {k} hours, how many {things} are made by two machines that make {a} and {b things} an hour?",
    "{n} reads {a} pages a day and {n2} reads {b}. How many pages do they read together in {k} days?", "A hen farm sells {a} brown and {b} white eggs a day. How many eggs does it sell in {k} days?",
], weight=0.8)
def work_rate(d):
    d.thing()
    d(a=d.int(2, 20), b=d.int(2, 20), k=d.int(2, 9))
    return [(("rate", "Together in one", "a+b"), ("all", "Total", "rate*k")),
            (("first", "First part", "a*k"), ("second", "Second part", "b*k"), ("all", "Total", "first+second"))]


@family("legs", [
    "There are {a animals} with 4 legs and {b} [chickens|ducks|birds] on a farm. How many legs are there [in all|altogether]?", "{n} sees {a animals}, which have 4 legs each, and {b} birds, which have 2. How many legs does {he} see?",
    "A farm has {a} cows and {b} hens. How many legs do they have together?", "How many legs do {a} dogs and {b} ducks have in total?", "In a yard there are {a} cats and {b} chickens. How many legs are there?",
    "A shop has {a} tables with 4 legs and {b} stools with 2 legs. How many legs is that?", "There are {a} cars with 4 wheels and {b} bikes with 2 wheels. How many wheels are there?", "{n} counts the wheels of {a} cars and {b} bicycles. How many wheels are there?",
], weight=0.6)
def legs(d):
    d.noun("animal", ANIMALS[:1] + [("horse", "horses"), ("sheep", "sheep"), ("goat", "goats")])
    d(a=d.int(2, 15), b=d.int(2, 15), four=4, two=2)
    return [(("first", "First part", "a*four"), ("second", "Second part", "b*two"), ("all", "Total", "first+second"))]


@family("elapsed", [
    "A film starts {a} minutes after {n} sits down and lasts {b} minutes. {n} leaves {c} minutes after the end. How many minutes does {he} sit there?", "{n} walks {a} minutes, waits {b} minutes and rides {c} minutes. How many minutes does the trip take?",
    "{n} spends {a} minutes on maths, {b} minutes on reading and {c} minutes on music. How many minutes is that in all?", "A cake needs {a} minutes to mix, {b} minutes to bake and {c} minutes to cool. How long does it take?",
    "How many minutes does {n} need for {a} minutes of running, {b} of swimming and {c} of rest?", "A bus takes {a} minutes to the first stop, {b} to the second and {c} to the third. How long is the ride?",
    "{n} practiced {a} minutes on Monday, {b} on Tuesday and {c} on Wednesday. How many minutes did {he} practice?", "{n} cooks for {a} minutes, eats for {b} minutes and cleans for {c} minutes. Find the total time.",
], weight=0.7)
def elapsed(d):
    d(a=d.int(2, 60), b=d.int(2, 60), c=d.int(2, 60))
    return [(("two", "First two", "a+b"), ("all", "Total time", "two+c"))]


@family("fraction_sum", [
    "What is {x} + {y}?", "Compute {x}+{y}.", "Add {x} and {y}.", "{n} ate {x} of a pie and {n2} ate {y}. How much of the pie did they eat?", "Find the sum of {x} and {y}.", "{x} + {y} = ?", "How much is {x} plus {y}?", "{n} walks {x} mile and then {y} mile. How far is that in miles?",
], weight=0.6, whole=False, fractions=True)
def fraction_sum(d):
    bottom = d.int(3, 12)
    a = d.int(1, bottom - 2)
    b = d.int(1, bottom - 1 - a)
    x, y = Fraction(a, bottom), Fraction(b, bottom)
    d(x=f"{a}/{bottom}", y=f"{b}/{bottom}", p=a, q=b, m=bottom)
    return [(("top", "Top", "p+q"), ("sum", "Sum", "top/m"))]


@family("area_missing_side", [
    "A rectangle has an area of {t} square meters and a length of {a} m. What is its perimeter?", "The area of a rectangle is {t} and one side is {a}. Find its perimeter.", "A garden of {t} square feet is {a} feet long. How long is a fence around it?",
    "What is the perimeter of a rectangle with area {t} and side {a}?", "{n}'s yard has an area of {t} square meters and is {a} m long. What is its perimeter?", "A field of {t} square meters has one side of {a} m. Find how long its border is.",
    "A floor of area {t} is {a} long. What is its perimeter?", "Find the perimeter of a rectangle whose area is {t} cm2 and whose length is {a} cm.",
], held_out=True)
def area_missing_side(d):
    a, b = d.distinct(2, 3, 15)
    d(a=a, t=a * b, two=2)
    return [(("width", "Width", "t/a"), ("half", "Length plus width", "a+width"), ("p", "Perimeter", "two*half"))]
