"""Prices, wages, change, discounts and savings. Amounts are whole unless a family says otherwise."""
from fractions import Fraction

from training.grammar.family import family
from training.grammar.objects import PRICED


@family("cost", [
    "{n} buys {k things} for {p$} each. How much does {he} [pay|spend] [in total|altogether]?",
    "A {thing} costs {p$}. How much do {k things} cost?",
    "How much do {k things} cost at {p$} each?",
    "{n} bought {k things}. Each {thing} cost {p$}. How much [money] did {he} spend?",
    "If one {thing} costs {p$}, what is the price of {k things}?",
    "{n} sells {k things} at {p$} each. How much money does {he} [make|get|earn]?",
    "Tickets cost {p$} each. {n} buys {k}. How much does {he} pay?",
    "A shop makes {p$} on each {thing} sold. It sold {k things}. How much money did it make?",
    "{n} earns {p$} an hour and works {k} hours. How much does {he} earn?",
    "{n} gets {p$} for each {thing}. How much does {he} get for {k things}?",
], weight=1.1)
def cost(d):
    d.thing(PRICED)
    d(k=d.int(2, d.pick(9, 12, 40)), p=d.int(2, d.pick(9, 12, 90)))
    return [(("cost", "Money in all", "k*p"),)]


@family("two_costs", [
    "{n} buys {k things} for {p$} each and {m thing2s} for {q$} each. How much does {he} [pay|spend] [in total|altogether]?",
    "A {thing} costs {p$} and a {thing2} costs {q$}. How much do {k things} and {m thing2s} cost [together]?",
    "How much do {k things} at {p$} each and {m thing2s} at {q$} each cost?",
    "{n} bought {k things} and {m thing2s}. Each {thing} cost {p$} and each {thing2} cost {q$}. How much money did {he} spend?",
    "At a sale {things} are {p$} each and {thing2s} are {q$} each. {n} takes {k things} and {m thing2s}. What does {he} pay?",
    "{n} sold {k things} at {p$} each and {m thing2s} at {q$} each. How much money did {he} make?",
    "Find the total cost of {k things} at {p$} each and {m thing2s} at {q$} each.",
    "{n} pays {p$} for each of {k things} and {q$} for each of {m thing2s}. What is the total?",
], weight=1.4)
def two_costs(d):
    d.thing(PRICED)
    d.thing(PRICED, suffix="2")
    d(k=d.int(2, 9), p=d.int(2, 12), m=d.int(2, 9), q=d.int(2, 12))
    first, second = ("first", "Cost of {things}", "k*p"), ("second", "Cost of {thing2s}", "m*q")
    total = ("total", "Total cost", "first+second")
    return [(first, second, total), (second, first, total)]


@family("change_from", [
    "{n} has {t$}. {He} buys {k things} for {p$} each. How much money does {he} have left?",
    "{n} pays for {k things} at {p$} each with {t$}. How much change does {he} get?",
    "{n} had {t$} and bought {k things}. Each cost {p$}. How much money is left?",
    "How much is left of {t$} after {n} buys {k things} at {p$} each?",
    "A {thing} costs {p$}. {n} buys {k} and gives the seller {t$}. What is {his} change?",
    "If {n} spends {p$} on each of {k things}, how much of {his} {t$} [is left|remains]?",
    "{n} saved {t$}. {He} wants {k things} at {p$} each. How much will {he} have left?",
    "{n} went to the shop with {t$}. {He} bought {k things} that cost {p$} each. How much money does {he} still have?",
], weight=1.3)
def change_from(d):
    d.thing(PRICED)
    k, p = d.int(2, 12), d.int(2, 15)
    d(k=k, p=p, t=k * p + d.int(1, 60))
    return [(("cost", "Cost of {things}", "k*p"), ("left", "Money left", "t-cost"))]


@family("spend_twice", [
    "{n} had {t$}. {He} spent {a$} on a {thing} and {b$} on a {thing2}. How much money does {he} have left?",
    "{n} has {t$} and buys a {thing} for {a$} and a {thing2} for {b$}. How much is left?",
    "After {n} spent {a$} on a {thing} and {b$} on a {thing2}, how much of {his} {t$} was left?",
    "{n} got {t$} for {his} birthday. {He} spent {a$} on {things} and {b$} on {thing2s}. How much did {he} still have?",
    "How much of {t$} is left if {n} pays {a$} for a {thing} and {b$} for a {thing2}?",
    "A {thing} costs {a$} and a {thing2} costs {b$}. {n} has {t$} and buys both. How much money is left?",
    "{n} went to the market with {t$}. First {he} spent {a$}, then {b$}. How much money does {he} have now?",
    "{n} gave {a$} to {n2} and spent {b$}. {He} had {t$} before. How much does {he} have now?",
], weight=1.0)
def spend_twice(d):
    d.thing(PRICED)
    d.thing(PRICED, suffix="2")
    a, b = d.int(2, 60), d.int(2, 60)
    d(a=a, b=b, t=a + b + d.int(1, 80))
    return [(("spent", "Money spent", "a+b"), ("left", "Money left", "t-spent")),
            (("first", "After the first", "t-a"), ("left", "Money left", "first-b"))]


@family("earn_and_spend", [
    "{n} had {a$}. {He} earned {b$} and spent {c$}. How much money does {he} have now?",
    "{n} had {a$} in {his} pocket. {He} got {b$} for washing cars and then spent {c$} on a {thing}. How much does {he} have?",
    "{n} saved {a$} and got {b$} from {n2}. {He} bought a {thing} for {c$}. How much money is left?",
    "If {n} has {a$}, earns {b$} and pays {c$} for a {thing}, how much money does {he} have?",
    "How much does {n} have after {he} adds {b$} to {his} {a$} and spends {c$}?",
    "{n}'s bank held {a$}. {He} put in {b$} and later took out {c$}. How much is in the bank?",
    "{n2} gave {n} {b$}. {n} already had {a$}. Then {he} spent {c$}. How much money does {n} have left?",
    "{n} made {a$} on Monday and {b$} on Tuesday. {He} spent {c$} of it. How much does {he} have left?",
], weight=0.9)
def earn_and_spend(d):
    d.thing(PRICED)
    a, b = d.int(2, 90), d.int(2, 60)
    d(a=a, b=b, c=d.int(1, a + b - 1))
    return [(("sum", "Money before spending", "a+b"), ("left", "Money left", "sum-c"))]


@family("unit_price", [
    "{k things} cost {t$}. How much does one {thing} cost?",
    "{n} paid {t$} for {k things}. What was the price of each {thing}?",
    "If {k things} cost {t$} [in total|altogether], how much is each {thing}?",
    "{n} bought {k things} at the same price and paid {t$}. How much did each cost?",
    "{n} earned {t$} in {k} hours. How much did {he} earn [an hour|each hour|per hour]?",
    "What is the price of one {thing} if {k} of them cost {t$}?",
    "{k} friends share a bill of {t$} equally. How much does each pay?",
    "{n} sold {k things} for {t$} in all. How much did {he} get for each {thing}?",
], weight=0.8)
def unit_price(d):
    d.thing(PRICED)
    k, p = d.int(2, 12), d.int(2, 30)
    d(k=k, t=k * p)
    return [(("each", "Price of each", "t/k"),)]


@family("price_scaled", [
    "{k things} cost {t$}. How much do {m things} cost?",
    "{n} paid {t$} for {k things}. How much would {he} pay for {m things}?",
    "If {k things} cost {t$}, what do {m things} cost?",
    "{n} earns {t$} in {k} hours. How much does {he} earn in {m} hours?",
    "How much do {m things} cost if {k} of them cost {t$}?",
    "A machine makes {t things} in {k} hours. How many {things} does it make in {m} hours?",
    "{n} reads {t} pages in {k} days. At this speed, how many pages does {he} read in {m} days?",
    "{n} packs {t things} in {k} boxes of the same size. How many {things} would {m} boxes hold?",
], weight=0.9)
def price_scaled(d):
    d.thing(PRICED)
    k, p = d.int(2, 9), d.int(2, 12)
    m = d.int(2, 12)
    if m == k:
        m += 1
    d(k=k, t=k * p, m=m)
    return [(("each", "For one", "t/k"), ("total", "For all", "each*m"))]


@family("wages", [
    "{n} earns {p$} an hour. {He} worked {a} hours on Monday and {b} hours on Tuesday. How much did {he} earn?",
    "{n} worked {a} hours on Friday and {b} hours on Saturday for {p$} an hour. How much money did {he} make?",
    "How much does {n} earn for {a} hours and then {b} more hours at {p$} an hour?",
    "{n} gets {p$} per hour. Last week {he} worked {a} hours and this week {b} hours. What did {he} earn in both weeks?",
    "If {n} is paid {p$} an hour and works {a} hours in the morning and {b} in the afternoon, how much is {he} paid?",
    "{n} sold {a things} on Monday and {b things} on Tuesday. Each {thing} cost {p$}. How much money did {he} make?",
    "A {thing} costs {p$}. {n} buys {a} and {n2} buys {b}. How much do they spend together?",
    "At {p$} per ticket, {n} sold {a} tickets and {n2} sold {b}. How much money did they collect?",
], weight=1.0)
def wages(d):
    d.thing(PRICED)
    d(p=d.int(2, 20), a=d.int(2, 9), b=d.int(2, 9))
    return [(("units", "Number in all", "a+b"), ("pay", "Money in all", "units*p")),
            (("first", "First part", "a*p"), ("second", "Second part", "b*p"), ("pay", "Money in all", "first+second"))]


@family("overtime", [
    "{n} earns {p$} an hour and {q$} for each hour of overtime. {He} worked {a} hours and {b} hours of overtime. How much did {he} earn?",
    "A worker gets {p$} for a normal hour and {q$} for an extra hour. {n} worked {a} normal hours and {b} extra hours. What is {his} pay?",
    "For {a} normal hours at {p$} and {b} overtime hours at {q$}, how much is {n} paid?",
    "{n} worked {a} hours at {p$} an hour and then {b} hours at {q$} an hour. How much did {he} earn?",
    "How much does {n} earn for {a} hours at {p$} and {b} hours at {q$}?",
    "{n} is paid {p$} an hour on weekdays and {q$} an hour on Sundays. {He} worked {a} hours on weekdays and {b} on Sunday. What did {he} earn?",
    "A job pays {p$} an hour by day and {q$} an hour at night. {n} worked {a} hours by day and {b} at night. What is the pay?",
    "{n} mows lawns for {p$} an hour and paints for {q$} an hour. {He} mowed for {a} hours and painted for {b}. How much did {he} make?",
], weight=0.8)
def overtime(d):
    p = d.int(5, 15)
    d(p=p, q=p + d.int(1, 8), a=d.int(2, 9), b=d.int(2, 6))
    first, second = ("first", "Normal pay", "a*p"), ("second", "Extra pay", "b*q")
    total = ("total", "Total pay", "first+second")
    return [(first, second, total), (second, first, total)]


@family("percent_of", [
    "What is {r}% of {a}?",
    "Find {r}% of {a}.",
    "{n} has {a things}. {r}% of them are red. How many {things} are red?",
    "There are {a} students in a school. {r} percent of them play football. How many play football?",
    "{n} gave {r}% of {his} {a things} to {n2}. How many {things} did {n2} get?",
    "{r} percent of {a things} were sold. How many {things} were sold?",
    "A test has {a} questions. {n} got {r}% of them right. How many did {he} get right?",
    "How much is {r} percent of {a$}?",
], weight=1.0)
def percent_of(d):
    d.thing()
    r = d.pick(10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90, 5)
    step = {5: 20, 25: 4, 50: 2, 75: 4}.get(r, 10)
    d(r=r, a=step * d.int(1, max(2, 300 // step)))
    d(h=100)
    return [(("part", "Part", "a*r/h"),)]


@family("discount", {
    "off": [
        "A {thing} costs {a$}. It is {r}% off. What is the sale price?",
        "A {thing} that costs {a$} is sold with a discount of {r} percent. How much does it cost now?",
        "{n} buys a {thing} for {a$} with {r}% off. How much does {he} pay?",
        "The price of a {thing} was {a$}. It went down by {r}%. What is the new price?",
        "How much is a {thing} of {a$} after a {r}% discount?",
        "{n} has {a things} and gives away {r}% of them. How many {things} are left?",
        "If a shop takes {r}% off a price of {a$}, what is the price?",
        "A tank held {a} liters. {r}% leaked out. How many liters are left?",
    ],
    "up": [
        "A {thing} costs {a$}. The price goes up by {r}%. What is the new price?",
        "{n} earns {a$} a week and gets a raise of {r} percent. What does {he} earn now?",
        "A meal costs {a$}. {n} adds a tip of {r}%. How much does {he} pay?",
        "The tax on a {thing} of {a$} is {r}%. What is the price with tax?",
        "A town had {a} people. It grew by {r}%. How many people live there now?",
        "How much is {a$} with {r} percent added?",
        "{n} had {a things} and got {r}% more. How many {things} does {he} have now?",
        "If a price of {a$} rises by {r}%, what is it then?",
    ]}, weight=1.0)
def discount(d):
    d.thing(PRICED)
    d.kind = d.pick("off", "up")
    r = d.pick(10, 20, 25, 30, 40, 50, 5)
    step = {5: 20, 25: 4, 50: 2}.get(r, 10)
    d(r=r, a=step * d.int(1, max(2, 200 // step)), h=100)
    return [(("part", "Taken off" if d.kind == "off" else "Added", "a*r/h"),
             ("new", "New value", "a-part" if d.kind == "off" else "a+part"))]


@family("saving", [
    "{n} saves {p$} every week. How much has {he} saved after {k} weeks if {he} started with {a$}?",
    "{n} has {a$} and saves {p$} a week. How much money will {he} have in {k} weeks?",
    "{n} starts with {a$} and puts {p$} in the bank each month. How much is there after {k} months?",
    "A plant is {a} cm tall and grows {p} cm every week. How tall is it after {k} weeks?",
    "{n} collected {a things} and gets {p} more each day. How many {things} does {he} have after {k} days?",
    "How much will {n} have after {k} weeks if {he} has {a$} now and saves {p$} each week?",
    "A tank holds {a} liters. Every minute {p} liters flow in. How many liters are in it after {k} minutes?",
    "The taxi costs {a$} to start and {p$} for each mile. How much is a ride of {k} miles?",
], weight=1.2)
def saving(d):
    d.thing()
    d(a=d.int(2, 90), p=d.int(2, 15), k=d.int(2, 12))
    return [(("gain", "Added", "k*p"), ("total", "In all", "a+gain"))]


@family("saving_goal", [
    "{n} has {a$} and wants a {thing} that costs {t$}. {He} saves {p$} a week. How many weeks [does it take|must {he} save]?",
    "A {thing} costs {t$}. {n} has {a$} and saves {p$} each week. In how many weeks can {he} buy it?",
    "{n} needs {t things}. {He} has {a} and makes {p} a day. How many days does {he} need?",
    "A book has {t} pages. {n} has read {a} and reads {p} pages a day. How many days until {he} is done?",
    "How many weeks does {n} need to get from {a$} to {t$} by saving {p$} a week?",
    "A tank holds {t} liters and has {a} liters in it. {p} liters flow in each minute. How many minutes until it is full?",
    "{n} must drive {t} miles. {He} has driven {a} miles and drives {p} miles an hour. How many more hours does {he} need?",
    "{n} has to pack {t things}. {a} are packed already. {He} packs {p} an hour. How many hours are left?",
], weight=1.0)
def saving_goal(d):
    d.thing(PRICED)
    a, p, k = d.int(2, 60), d.int(2, 12), d.int(2, 12)
    d(a=a, p=p, t=a + p * k)
    return [(("need", "Still needed", "t-a"), ("time", "Time needed", "need/p"))]


@family("decimal_money", [
    "{n} bought a {thing} for {a$} and a {thing2} for {b$}. How much did {he} spend [in total|altogether]?",
    "A {thing} costs {a$} and a {thing2} costs {b$}. What do they cost together?",
    "{n} spent {a$} on {things} and {b$} on {thing2s}. In total, how much did {he} spend?",
    "How much are a {thing} at {a$} and a {thing2} at {b$} together?",
    "{n} paid {a$} for a {thing}. {n2} paid {b$} for a {thing2}. How much did they pay in all?",
    "Lunch cost {a$} and dinner cost {b$}. How much did both cost?",
    "{n} has {a$}. {n2} gives {him} {b$}. How much money does {n} have now?",
    "Find the total of {a$} and {b$}.",
], weight=0.7, whole=False)
def decimal_money(d):
    d.thing(PRICED)
    d.thing(PRICED, suffix="2")
    d(a=Fraction(d.int(101, 1999), 100), b=Fraction(d.int(101, 1999), 100))
    return [(("total", "Total", "a+b"),)]


@family("decimal_change", [
    "{n} had {t$} and spent {a$} on a {thing}. How much money does {he} have left?",
    "A {thing} costs {a$}. {n} pays with {t$}. How much change does {he} get?",
    "How much is left of {t$} after {n} pays {a$}?",
    "{n} has {t$} and buys a {thing} for {a$}. How much is left?",
    "A {thing} costs {t$} and a {thing2} costs {a$}. How much more does the {thing} cost?",
    "{n} earned {t$} and gave {n2} {a$}. How much does {n} have left?",
    "If {n} spends {a$} of {his} {t$}, how much money is left?",
    "{n} saved {t$}. {n2} saved {a$}. How much more did {n} save?",
], weight=0.6, whole=False)
def decimal_change(d):
    d.thing(PRICED)
    d.thing(PRICED, suffix="2")
    a = d.int(101, 1999)
    d(a=Fraction(a, 100), t=d.pick(Fraction(a + d.int(1, 2000), 100), 20 * (1 + a // 2000)))
    return [(("left", "Difference", "t-a"),)]


@family("shopping_change_two", [
    "{n} buys {k things} at {p$} each and a {thing2} for {q$}. {He} pays with {t$}. How much change does {he} get?",
    "{n} has {t$}. {He} buys {k things} for {p$} each and one {thing2} for {q$}. How much money is left?",
    "How much of {t$} is left after {n} buys {k things} at {p$} each and a {thing2} at {q$}?",
    "A {thing} costs {p$} and a {thing2} costs {q$}. {n} buys {k things} and one {thing2} and pays with {t$}. What is the change?",
    "From {t$} {n} pays for {k things} at {p$} each and also {q$} for a {thing2}. How much remains?",
    "{n} went to the shop with {t$} and bought {k things} at {p$} each and a {thing2} for {q$}. How much did {he} have left?",
    "With {t$}, {n} buys {k things} that cost {p$} each and a {thing2} that costs {q$}. Find the money left.",
    "{n} pays {p$} each for {k things} and {q$} for a {thing2}. What is left of {his} {t$}?",
], held_out=True)
def shopping_change_two(d):
    d.thing(PRICED)
    d.thing(PRICED, suffix="2")
    k, p, q = d.int(2, 9), d.int(2, 12), d.int(2, 20)
    d(k=k, p=p, q=q, t=k * p + q + d.int(1, 40))
    return [(("cost", "Cost of {things}", "k*p"), ("both", "Total cost", "cost+q"), ("left", "Money left", "t-both"))]
