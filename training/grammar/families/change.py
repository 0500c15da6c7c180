"""One quantity that grows and shrinks; unknown results, changes and starts."""
from training.grammar.family import family
from training.grammar.objects import ANIMALS, FOODS, PEOPLE


@family("gain", [
    "{n} <had> {a things}. {He} <got b>. <now?>",
    "{n} <had> {a things}. {n2} gave {him} <more b>. <now?>",
    "{n} <had> {a things} and then <got b>. <now?>",
    "If {n} had {a things} and {he} <got b>, how many {things} [would {he} have|does {n} have now|did {he} have then]?",
    "<now?> At first {he} had {a things}, and later {he} <got b>.",
    "There were {a things} in the [drawer|room|garage|shop|kitchen|box]. {n} put {b} more {things} [there|in|inside]. How many {things} are [there now|there in all|in it now]?",
    "{n} has {a things}. {n2} gives {him} <more b>. <now?>",
    "{n} already had {a things} when {n2} [gave|handed|sent|brought|lent] {him} {b} more. <now?>",
    "{n} picked {a things} [in the morning|on Monday] and {b} more [in the afternoon|on Tuesday]. How many {things} did {n} pick [in all|altogether|in total]?",
    "After {n} [bought|found|got] {b} new {things}, {he} put them with the {a} {he} already had. <now?>",
    "A [shop|school|museum|club|library] had {a things} [last year|at first] and [bought|got|received] {b} more. How many {things} does it have [now|in total]?",
], weight=1.5)
def gain(d):
    d.thing()
    d(a=d.int(2, d.pick(20, 60, 99, 500)), b=d.int(2, d.pick(20, 60, 99, 300)))
    return [(("now", "{Things} now", "a+b"),)]


@family("loss", [
    "{n} <had> {a things}. {He} <lost b>. <left?>",
    "{n} <had> {a things} but {he} <lost b>. <left?>",
    "{n} <had> {a things}. Then {n2} [took|borrowed|broke|stole|bought] {b} of them. <left?>",
    "If {n} had {a things} and <lost b>, how many {things} [would {he} have left|does {n} have now|are left]?",
    "<left?> At first {he} had {a things}, and then {he} <lost b>.",
    "There were {a things} [on the table|in the basket|in the room|in the shop|in the garden]. {n} [took|removed|sold|used|carried away] {b} of them. How many {things} [are left|remain|are still there|are there now]?",
    "{n} has {a things}. {He} [gives|hands|sells|lends] {b} of them to {n2}. <left?>",
    "Out of {n}'s {a things}, {b} [were lost|broke|were sold|are missing|were given to {n2}]. <left?>",
    "A [shop|store|market stall] had {a things} for sale and sold {b} of them {place}. How many {things} [are left|remain|were not sold]?",
    "{n} [needs|wants|has to make] {a things} and already has {b}. How many more {things} does {he} [need|have to get]?",
    "{n} used {b things} to [build a tower|decorate a room|make a gift]. If {he} had {a things}, how many {things} [are left|does {he} still have]?",
    "{n} and {n2} have {a things} together. {b} of them [belong to|are those of|were brought by] {n2}. How many {things} [does {n} have|are {n}'s]?",
], weight=1.5)
def loss(d):
    d.thing()
    d["n"]
    d(place=d.pick("today", "on Monday", "this week", "yesterday", "in one day"))
    a = d.int(4, d.pick(20, 60, 99, 900))
    d(a=a, b=d.int(2, a - 1))
    return [(("left", "{Things} left", "a-b"),)]


@family("ate", [
    "{n} <had> {a things}. {He} <ate b>. <left?>",
    "{n} baked {a things} {place}. {He} and {n2} [ate|sold|shared|gave away] {b} of them. <left?>",
    "There were {a things} [on the plate|in the bowl|in the kitchen|on the tree]. {n} ate {b} and {n2} ate {c}. How many {things} [are left|remain|were not eaten]?",
    "{n} bought {a things}. On the way home {he} ate {b}, and {n2} ate {c}. <left?>",
    "{n} <had> {a things}. {He} <ate b> and then <ate c>. <left?>",
    "A [tree|basket|tray|fridge] held {a things}. {b} [fell off|were eaten|went bad] and {n} took {c} more [away|home]. How many {things} are left?",
    "<left?> {He} had {a things}, but {n2} ate {b} of them and {he} ate {c}.",
    "If {n} picks {a things}, eats {b} and gives {c} to {n2}, how many {things} [are left|does {n} have left]?",
    "{n} made {a things} for a party. The guests ate {b} [on the first day|before noon] and {c} [on the next day|after noon]. How many {things} are left?",
], weight=1.0)
def ate(d):
    d.thing(FOODS)
    a = d.int(8, d.pick(20, 50, 90))
    b = d.int(2, a - 4)
    d(a=a, b=b, c=d.int(2, a - b - 1), place=d.pick("today", "on Sunday", "for the fair", "for a party", "in the morning"))
    d.kind = None
    return [(("first", "Left after {b}", "a-b"), ("left", "{Things} left", "first-c")),
            (("eaten", "{Things} gone", "b+c"), ("left", "{Things} left", "a-eaten"))]


@family("gain_then_loss", {
    "gain first": [
        "{n} <had> {a things}. {He} <got b>. Later {he} <lost c>. <left?>",
        "{n} <had> {a things}, <got b> and then <lost c>. <left?>",
        "{n} had {a things}. On Monday {he} <got b>, and on Friday {he} <lost c>. <left?>",
        "If {n} had {a things}, <got b> and <lost c>, how many {things} [would {he} have|does {n} have now]?",
        "<left?> {He} started with {a things}, then <got b>, and after that <lost c>.",
        "There were {a things} in the [shop|room|box|garden]. {n} added {b} more and {n2} took away {c}. How many {things} are there now?",
        "{n} took {a photo} {things} at the zoo and {b} at the museum, but [then|later] {he} lost {c} of them. <left?>",
    ],
    "loss first": [
        "{n} <had> {a things}. {He} <lost c>. Then {he} <got b>. <now?>",
        "{n} <had> {a things}, <lost c> and then <got b>. <now?>",
        "If {n} had {a things}, <lost c> and <got b>, how many {things} [would {he} have|does {n} have now|did {he} end up with]?",
        "<now?> {He} started with {a things}, <lost c>, and later <got b>.",
        "A [shop|school|library|club] had {a things}. If it [used|sold|lost] {c} of them and [then|later] [bought|got] {b} more, how many {things} [would it have|does it have now]?",
        "There were {a things} in the [shop|room|box|garden]. {n} took away {c} and {n2} put {b} more there. How many {things} are there now?",
        "{n} made {a things} for a sale. {He} sold {c} of them and then made {b} more. How many {things} [would {he} have|does {he} have now]?",
    ]}, weight=1.8)
def gain_then_loss(d):
    d.thing()
    d(a=d.int(3, d.pick(20, 60, 99)), b=d.int(2, d.pick(20, 60, 99)), photo=" ")
    d.kind = d.pick("gain first", "loss first")
    if d.kind == "gain first":
        d(c=d.int(2, d["a"] + d["b"] - 1))
        return [(("sum", "{Things} with {b} more", "a+b"), ("left", "{Things} left", "sum-c"))]
    d(c=d.int(2, d["a"] - 1))
    return [(("left", "{Things} left", "a-c"), ("now", "{Things} now", "left+b"))]


@family("line_of_people", [
    "There were {a peoples} [in line|in the room|on the bus|at the park]. {c} of them left and {b} more [came|joined|arrived]. How many {people} are there now?",
    "{a peoples} were [waiting|sitting inside|at the party|in the hall]. If {c} of them [got tired and left|went home|walked away] and {b} more came, how many {people} would be there?",
    "A bus had {a peoples} on it. At the next stop {c} got off and {b} got on. How many {people} are on the bus now?",
    "At the fair there were {a peoples} in line for a ride. {c} of them [left|gave up] and {b} more got in line. How many {people} are in line [now|then]?",
    "How many {people} are in the hall if there were {a} at first, {c} left, and {b} more came in?",
    "A train carries {a peoples}. {c} get off and {b} get on. How many {people} are on the train now?",
    "In the morning {a peoples} were at the [pool|lake|museum]. By noon {c} had gone home and {b} others had come. How many {people} were there [at noon|then]?",
    "When {n} came in, {a peoples} were in the hall. Then {c} left. Later {b} more arrived. How many {people} are in the hall now?",
    "There are {a peoples} on a boat. {c} of them step off and {b} new ones step on. How many {people} does the boat carry now?",
])
def line_of_people(d):
    d.noun("people", PEOPLE if d.chance(0.7) else ANIMALS[:2])
    if d["people"] in ("dog", "cat"):
        d(people="person", peoples="people")
    d(person=d["people"], a=d.int(5, d.pick(20, 60, 90)), b=d.int(2, 30))
    d(c=d.int(2, d["a"] - 1))
    many = d["peoples"]
    d(people=many, peoples=many)
    return [(("left", "{People} after {c} left", "a-c"), ("now", "{People} now", "left+b"))]


@family("unknown_change", {
    "gain": [
        "{n} had {a things}. {He} [bought|found|got|picked up|was given] some more. Now {he has} {b things}. How many {things} did {he} [get|add]?",
        "{n} <had> {a things}. After {n2} gave {him} some {things}, {he} had {b}. How many {things} did {n2} give {him}?",
        "How many {things} did {n} [buy|find|get] if {he} had {a} before and {has} {b} now?",
        "At first there were {a things} in the [box|room|jar]. {n} put in more, and now there are {b}. How many {things} did {n} put in?",
        "There are {b things} in a [jar|drawer|room] now. Yesterday there were only {a}. How many {things} were added?",
        "{n} needs {b things}. {He has} {a} [already|so far]. How many more {things} does {he} need?",
        "{n} [wants|hopes] to have {b things} and has [collected|made|saved] {a} so far. How many more {things} must {he} get?",
        "A [club|shop|school] had {a things} last year and has {b things} this year. By how many {things} did the number grow?",
        "{n} [wants|has] to make {b things}. {He} made {a} [in the morning|yesterday]. How many {things} [are still to be made|must {he} still make]?",
    ],
    "loss": [
        "{n} had {b things}. {He} [lost|sold|gave away|broke] some of them. Now {he has} {a things}. How many {things} did {he} lose?",
        "{n} <had> {b things}. {He} gave some to {n2} and now {he has} {a} left. How many {things} did {n2} get?",
        "There were {b things} on the [table|shelf|tree]. Some were taken away, and {a} [are left|remain]. How many {things} were taken?",
        "How many {things} did {n} [use|sell|lose] if {he} had {b} at first and {has} {a} left?",
        "{n} baked {b things}. At the end of the day {a} were left. How many {things} were [sold|eaten]?",
        "Of the {b things} that {n} had, only {a} are left. How many {things} are gone?",
        "A shop had {b things}. After a busy day it has {a things}. How many {things} did the shop sell?",
        "{n} [brought|carried|took] {b things} to the market and came home with {a}. How many {things} did {he} sell?",
    ]}, weight=1.4)
def unknown_change(d):
    d.thing()
    d.kind = d.pick("gain", "loss")
    a = d.int(2, d.pick(20, 60, 300))
    d(a=a, b=a + d.int(2, d.pick(20, 60, 300)), has="have" if d["he"] == "they" else "has")
    return [(("change", "{Things} added" if d.kind == "gain" else "{Things} gone", "b-a"),)]


@family("unknown_start", {
    "loss": [
        "{n} had some {things}. {He} <lost b>. Now {he has} {a} left. How many {things} did {he} have [at first|to start with|in the beginning]?",
        "After {n} <lost b>, {he} had {a things} left. How many {things} did {n} have [at first|before|in the beginning]?",
        "{n} sold {b things} and still has {a}. How many {things} were there [at the start|at first]?",
        "How many {things} did {n} start with if {he} gave {b} to {n2} and kept {a}?",
        "Some {things} were on the table. {n} took {b} of them, and {a} were left. How many {things} were on the table at first?",
        "{n} used {b things} and had {a things} [left over|remaining]. How many {things} did {he} have before?",
        "There are {a things} left in the shop after {b} were sold. How many {things} were there [at first|in the beginning]?",
        "{n} got a box of {things}. {He} [lost|gave away] {b} of them and now {a} are left. How many {things} were in the box?",
    ],
    "gain": [
        "{n} had some {things}. {He} <got b>. Now {he has} {c things}. How many {things} did {he} have [at first|to start with|in the beginning]?",
        "After {n} [bought|found|got] {b} more {things}, {he} had {c}. How many {things} did {n} have before?",
        "{n2} gave {n} {b things}. Now {n} has {c things}. How many {things} did {n} have at first?",
        "How many {things} did {n} start with if {he} got {b} more and ended up with {c}?",
        "{n} has {c things} now. {b} of them are new. How many {things} did {n} have before?",
        "{n} put {b things} into a box that already held some. Now the box holds {c things}. How many {things} were in it before?",
        "{n} planted {b} new {things}, and then there were {c things}. How many {things} were there before?",
        "{c things} are in the room. {b} of them were brought in today. How many {things} were in the room yesterday?",
    ]}, weight=1.2)
def unknown_start(d):
    d.thing()
    d.kind = d.pick("loss", "gain")
    d(a=d.int(2, d.pick(20, 60, 300)), b=d.int(2, d.pick(20, 60, 300)))
    if d.kind == "loss":
        return [(("start", "{Things} at first", "a+b"),)]
    d(c=d["a"] + d["b"])
    return [(("start", "{Things} at first", "c-b"),)]


@family("transfer", [
    "{n} has {a things} and {n2} has {b things}. {n} gives {c} of {his} {things} to {n2}. How many {things} does {n2} have now?",
    "{n2} has {b things}. {n} has {a} and gives {n2} {c} of them. How many {things} does {n2} have [now|then]?",
    "{n} had {a things}. {n2} had {b}. Then {n} [gave|handed|sent] {c things} to {n2}. How many {things} did {n2} have [then|after that]?",
    "If {n}, who has {a things}, gives {c} of them to {n2}, who has {b}, how many {things} will {n2} have?",
    "How many {things} does {n2} have after {n} gives {him2} {c things}? Before that {n2} had {b things} and {n} had {a}.",
    "There are {a things} in {n}'s bag and {b things} in {n2}'s bag. {n2} takes {c things} from {n}'s bag. How many {things} are now in {n2}'s bag?",
    "{n} and {n2} collect {things}. {n} has {a} and {n2} has {b}. After {n} gives {c} to {n2}, how many {things} does {n2} have?",
    "{n} owns {a things} while {n2} owns {b}. {n} [lends|sells] {c things} to {n2}. How many {things} does {n2} have now?",
], weight=0.8)
def transfer(d):
    d.thing()
    d(a=d.int(6, 60), b=d.int(2, 60))
    d(c=d.int(2, d["a"] - 1))
    return [(("now", "{n2}'s {things}", "b+c"),)]


@family("transfer_difference", [
    "{n} has {a things} and {n2} has {b things}. {n} gives {c} of {his} {things} to {n2}. How many more {things} does {n} have than {n2} [now|then]?",
    "{n} had {a things}. {n2} had {b}. Then {n} gave {c things} to {n2}. How many more {things} did {n} have than {n2} [then|after that]?",
    "If {n}, who has {a things}, gives {c} of them to {n2}, who has {b}, how many more {things} than {n2} does {n} have?",
    "After {n} gives {n2} {c things}, how many more {things} than {n2} does {n} have? Before that {n} had {a} and {n2} had {b}.",
    "There are {a things} in {n}'s bag and {b things} in {n2}'s bag. {n2} takes {c things} from {n}'s bag. How many more {things} are now in {n}'s bag than in {n2}'s bag?",
    "{n} and {n2} collect {things}. {n} has {a} and {n2} has {b}. {n} gives {c} to {n2}. By how many {things} is {n}'s collection still larger?",
    "{n} owns {a things} while {n2} owns {b}. {n} sells {c things} to {n2}. Find how many more {things} {n} has now.",
    "{n2} gets {c things} from {n}. {n} had {a} and {n2} had {b} before. How many more {things} does {n} have than {n2} now?",
], held_out=True)
def transfer_difference(d):
    d.thing()
    b, c = d.int(2, 40), d.int(2, 12)
    d(a=b + 2 * c + d.int(2, 30), b=b, c=c)
    return [(("mine", "{n}'s {things}", "a-c"), ("theirs", "{n2}'s {things}", "b+c"), ("more", "More {things}", "mine-theirs")),
            (("theirs", "{n2}'s {things}", "b+c"), ("mine", "{n}'s {things}", "a-c"), ("more", "More {things}", "mine-theirs"))]
