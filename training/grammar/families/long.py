"""Stories of four to six steps, where one early slip spoils everything after it."""
from training.grammar.family import Redraw, family
from training.grammar.objects import PRICED


@family("many_changes", [
    "{n} had {a things}. {He} <got b>, <lost c>, <got e> and then <lost f>. <now?>",
    "{n} started with {a things}. On Monday {he} got {b}, on Tuesday {he} lost {c}, on Wednesday {he} got {e} and on Thursday {he} lost {f}. How many {things} did {n} have then?",
    "A bus left with {a people}. At four stops {b} got on, {c} got off, {e} got on and {f} got off. How many people are on the bus now?",
    "A library had {a} books. It bought {b}, gave away {c}, received {e} and lost {f}. How many books does it have?",
    "There are {a things} in a {box}. {n} puts in {b}, takes out {c}, puts in {e} more and takes out {f}. How many {things} are in the {box} at the end?",
    "{n} counts {things}. First there are {a}. Then {b} come in, {c} go out, {e} come in and {f} go out. How many {things} are there at last?",
    "A shop opened with {a things}. It received {b things}, sold {c}, received {e} and sold {f}. How many {things} were left in the evening?",
    "How many {things} does {n} have after getting {b}, giving away {c}, finding {e} and losing {f}, if {he} had {a} at first?",
], weight=1.2)
def many_changes(d):
    d.thing()
    d.box()
    d.env.update(person="person", people="people", peopl="person")
    a, b, e = d.int(5, 60), d.int(2, 40), d.int(2, 40)
    c = d.int(2, a + b - 1)
    f = d.int(2, max(2, a + b - c + e - 1))
    d(a=a, b=b, c=c, e=e, f=f)
    return [(("one", "After {b} more", "a+b"), ("two", "After {c} fewer", "one-c"), ("three", "After {e} more", "two+e"), ("four", "After {f} fewer", "three-f"))]


@family("shopping_three_change", [
    "{n} buys {a things} at {p$} each, {b thing2s} at {q$} each and {c thing3s} at {r$} each. {He} pays with {t$}. How much change does {he} get?",
    "{n} had {t$}. {He} bought {a things} for {p$} each, {b thing2s} for {q$} each and {c thing3s} for {r$} each. How much money is left?",
    "One of the {things} costs {p$}, one of the {things2} {q$} and one of the {things3} {r$}. {n} buys {a} of the first, {b} of the second and {c} of the third and pays with {t$}. What is {his} change?",
    "From {t$} {n} pays for {a things} at {p$}, {b thing2s} at {q$} and {c thing3s} at {r$}. How much remains?",
    "{n} went to the market with {t$} and got {a things} ({p$} each), {b thing2s} ({q$} each) and {c thing3s} ({r$} each). How much did {he} have left?",
    "If {n} has {t$} and buys {a things}, {b thing2s} and {c thing3s} at {p$}, {q$} and {r$} each, how many dollars does {he} keep?",
    "A class has {t$}. It orders {a things} for {p$} apiece, {b thing2s} for {q$} apiece and {c thing3s} for {r$} apiece. How much money does the class have left?",
    "How much change from {t$} does {n} get for {a things} at {p$} each, {b thing2s} at {q$} each, and {c thing3s} at {r$} each?",
], weight=1.0)
def shopping_three_change(d):
    d.thing(PRICED)
    d.thing(PRICED, "2")
    d.thing(PRICED, "3")
    a, b, c = d.int(2, 9), d.int(2, 9), d.int(2, 9)
    p, q, r = d.int(2, 15), d.int(2, 15), d.int(2, 15)
    total = a * p + b * q + c * r
    round_up = -(-(total + 1) // 50) * 50
    d(a=a, b=b, c=c, p=p, q=q, r=r, t=round_up if d.chance(0.5) else total + d.int(1, 60))
    first = (("x", "Cost of {things}", "a*p"), ("y", "Cost of {things2}", "b*q"), ("z", "Cost of {things3}", "c*r"))
    return [first + (("s", "First two", "x+y"), ("total", "Total cost", "s+z"), ("left", "Money left", "t-total")),
            first + (("all", "Total cost", "x+y+z"), ("left", "Money left", "t-all"))]


@family("wages_and_goal", [
    "{n} works {a} hours a day for {b} days and earns {p$} an hour. {He} spends {q$} and saves the rest for a {thing} of {t$}. How much more does {he} need?",
    "{n} earns {p$} an hour and works {b} days of {a} hours. After spending {q$}, how much is {he} short of {t$}?",
    "For {b} days {n} works {a} hours at {p$} an hour. {He} pays {q$} for food. A {thing} costs {t$}. How much money is {he} missing?",
    "A {thing} costs {t$}. {n} works {a} hours on each of {b} days for {p$} an hour and spends {q$} of it. How much must {he} still earn?",
    "{n} wants {t$}. {He} worked {b} days, {a} hours a day, at {p$} an hour, and then spent {q$}. How much does {he} still need?",
    "How far is {n} from {his} goal of {t$} if {he} works {b} days for {a} hours at {p$} an hour and gives away {q$}?",
    "{n} gets {p$} for each hour. In {b} days of {a} hours {he} earned money, of which {q$} went to rent. {He} needs {t$}. How much is missing?",
    "If {n} works {a} hours a day at {p$} an hour for {b} days, pays {q$} for a bus card and needs {t$} in all, how many dollars are missing?",
], weight=1.0)
def wages_and_goal(d):
    d.thing(PRICED)
    a, b, p = d.int(2, 8), d.int(2, 6), d.int(5, 15)
    q = d.int(2, min(90, a * b * p - 1))
    d(a=a, b=b, p=p, q=q, t=a * b * p - q + d.int(5, 90))
    last = (("kept", "Money kept", "pay-q"), ("short", "Money missing", "t-kept"))
    return [(("hours", "Hours in all", "b*a"), ("pay", "Money earned", "hours*p"), *last),
            (("day", "Pay for a day", "a*p"), ("pay", "Money earned", "day*b"), *last)]


@family("boxes_shared", [
    "{n} has {g boxs} with {k things} each and finds {c} more. {He} gives {e} to {n2} and packs the rest equally into {m} bags. How many {things} are in each bag?",
    "There are {g boxs} of {k things}. {n} adds {c things}, sells {e} and shares the rest equally among {m} friends. How many {things} does each friend get?",
    "{n} bought {g boxs} of {things} with {k} in each. {He} already had {c}. {He} gave away {e} and put the others into {m} equal piles. How many {things} are in each pile?",
    "Each of {g boxs} holds {k things}. With {c} more and without {e} that broke, they are split evenly between {m} rooms. How many {things} go to each room?",
    "A school has {g boxs} of {k things} and gets {c} more. {e} are lost, and {m} classes share the rest equally. How many {things} does each class get?",
    "How many {things} does each of {m} children get if {n} has {g boxs} of {k}, buys {c} more, keeps {e} and shares the rest equally?",
    "{n} packs {k things} in each of {g boxs}. {n2} brings another {c}. They use {e} and divide the others by {m}. How many {things} are in one part?",
    "From {g boxs} with {k things} each and {c} loose {things}, {e} are thrown away. The rest go to {m} shops in equal numbers. How many {things} does a shop get?",
], weight=1.2)
def boxes_shared(d):
    d.thing()
    d.box()
    g, k, m, each = d.int(2, 9), d.int(3, 12), d.int(2, 9), d.int(2, 15)
    c = d.int(2, 20)
    e = g * k + c - m * each
    if e < 2:
        raise Redraw
    d(g=g, k=k, c=c, e=e, m=m)
    return [(("boxes", "{Things} in {boxs}", "g*k"), ("all", "{Things} in all", "boxes+c"), ("left", "{Things} left", "all-e"), ("each", "{Things} in each part", "left/m"))]


@family("expression_long", {
    "long": ["What is ({a} + {b}) * {c} - {e} * {f}?", "Compute ({a}+{b})*{c}-{e}*{f}.", "Calculate ({a} + {b}) × {c} − {e} × {f}.", "({a}+{b})*{c}-{e}*{f} = ?",
             "Evaluate ({a} + {b})*{c} - {e}*{f}", "Find the value of {c}*({a}+{b}) - {e}*{f}.", "Work out ({a}+{b})×{c} - {e}×{f}.", "How much is ({a} + {b}) × {c} - {e} × {f}?"],
    "sum": ["What is {a} * {b} + {c} * {e} + {f}?", "Compute {a}*{b}+{c}*{e}+{f}.", "Calculate {a} × {b} + {c} × {e} + {f}.", "{a}*{b}+{c}*{e}+{f} = ?",
            "Evaluate {a}*{b} + {c}*{e} + {f}", "Find the value of {a} × {b} + {c} × {e} + {f}.", "Work out {f} + {a}*{b} + {c}*{e}.", "How much is {a} × {b} + {c} × {e} + {f}?"],
}, weight=1.0, digits=True)
def expression_long(d):
    d.kind = d.pick("long", "sum")
    d(a=d.int(2, 15), b=d.int(2, 12), c=d.int(2, 9), e=d.int(2, 9), f=d.int(2, 12))
    if d.kind == "long":
        return [(("first", "First", "a+b"), ("second", "Second", "first*c"), ("third", "Third", "e*f"), ("all", "Then", "second-third"))]
    return [(("first", "First", "a*b"), ("second", "Second", "c*e"), ("third", "Third", "first+second"), ("all", "Then", "third+f"))]


@family("trip_average", [
    "{n} drives {a} hours at {p} miles an hour, then {b} hours at {q} miles an hour, and then {c} miles to the hotel. The way back is {e} miles shorter. How long is the way back?",
    "A bus goes for {a} hours at {p} miles an hour and for {b} hours at {q} miles an hour, then {c} miles more. The direct road is {e} miles shorter. How long is the direct road?",
    "{n} rides {p} miles in each of {a} hours and {q} miles in each of {b} hours, and {c} miles after that. {n2} rides {e} miles less. How far does {n2} ride?",
    "A train travels {a} hours at {p} miles an hour, {b} hours at {q} miles an hour and {c} miles slowly. A plane flies {e} miles less. How many miles does the plane fly?",
    "On the first day {n} walks {a} hours at {p} miles an hour, on the second {b} hours at {q} miles an hour, on the third {c} miles. {n2} walks {e} miles less in all. How many miles does {n2} walk?",
    "{n} sails {a} hours at {p} miles an hour, {b} hours at {q} miles an hour and {c} miles at the end. {n2} sails {e} miles fewer. What distance does {n2} sail?",
    "How far does {n2} go if {he2} goes {e} miles less than {n}, who goes {a} hours at {p} miles an hour, {b} hours at {q} miles an hour and another {c} miles?",
    "A truck does {a} hours at {p} miles an hour, {b} hours at {q} miles an hour and {c} miles in town. A car does {e} miles less. Find the car's distance.",
], weight=0.8)
def trip_average(d):
    a, b, p, q, c = d.int(2, 6), d.int(2, 6), d.int(3, 60), d.int(3, 60), d.int(2, 40)
    d(a=a, b=b, p=p, q=q, c=c, e=d.int(2, min(60, a * p + b * q + c - 1)))
    return [(("one", "First part", "a*p"), ("two", "Second part", "b*q"), ("both", "First two", "one+two"), ("all", "Whole way", "both+c"), ("less", "The shorter way", "all-e"))]


@family("family_ages", [
    "{n} is {a} years old. {n2} is {m} times as old. {n3} is {k} years younger than {n2}. How old are the three together?",
    "{n2} is {m} times as old as {n}, who is {a}, and {n3} is {k} years younger than {n2}. Find the sum of the three ages.",
    "{n3} is {k} years younger than {n2}. {n2} is {m} times as old as {n}. {n} is {a}. What is the sum of their ages?",
    "If {n} is {a}, {n2} is {m} times as old and {n3} is {k} years younger than {n2}, how old are all three together?",
    "The age of {n} is {a}. The age of {n2} is {m} times that. {n3} is {k} years younger than {n2}. What do the three ages add up to?",
    "{n} turned {a} today. {n2} is {m} times as old, and {n3} is {k} years younger than {n2}. Add their ages.",
    "How old are {n}, {n2} and {n3} together if {n} is {a}, {n2} {m} times as old, and {n3} {k} years younger than {n2}?",
    "{n} is {a}. {n2} is {m} times as old as {n}. {n3} is {k} years younger than {n2}. Find the total of the ages.",
], held_out=True)
def family_ages(d):
    d.third()
    a, m = d.int(3, 15), d.int(2, 5)
    d(a=a, m=m, k=d.int(2, a * m - 1))
    return [(("two", "Age of {n2}", "a*m"), ("three", "Age of {n3}", "two-k"), ("pair", "First two", "a+two"), ("all", "Total", "pair+three"))]
