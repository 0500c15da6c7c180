"""Numbers without a story: equations, expressions, sequences, averages, ages."""
from training.grammar.family import family


@family("linear_one_step", {
    "plus": ["If {v} + {b} = {c}, what is {v}?", "Solve {v} + {b} = {c}.", "Solve for {v}: {v} + {b} = {c}", "Find {v} if {v}+{b}={c}.", "What is {v} when {b} + {v} = {c}?",
             "A number plus {b} is {c}. What is the number?", "I think of a number and add {b}. I get {c}. What is my number?", "The sum of a number and {b} is {c}. Find the number."],
    "minus": ["If {v} - {b} = {c}, what is {v}?", "Solve {v} - {b} = {c}.", "Solve for {v}: {v} - {b} = {c}", "Find {v} if {v}-{b}={c}.", "What is {v} when {v} − {b} = {c}?",
              "A number minus {b} is {c}. What is the number?", "I think of a number and subtract {b}. I get {c}. What is my number?", "{b} less than a number is {c}. Find the number."],
    "times": ["If {b}{v} = {c}, what is {v}?", "Solve {b}{v} = {c}.", "Solve for {v}: {b}*{v} = {c}", "Find {v} if {b} × {v} = {c}.", "What is {v} when {b}{v}={c}?",
              "{b} times a number is {c}. What is the number?", "I think of a number and multiply it by {b}. I get {c}. What is my number?", "The product of a number and {b} is {c}. Find the number."],
    "over": ["If {v}/{b} = {c}, what is {v}?", "Solve {v}/{b} = {c}.", "Solve for {v}: {v} / {b} = {c}", "Find {v} if {v} ÷ {b} = {c}.", "What is {v} when {v}/{b}={c}?",
             "A number divided by {b} is {c}. What is the number?", "I think of a number and divide it by {b}. I get {c}. What is my number?", "The quotient of a number and {b} is {c}. Find the number."],
}, digits=True, weight=1.0)
def linear_one_step(d):
    d.kind = d.pick("plus", "minus", "times", "over")
    v, b, x = d.pick(*"xynzwtkm"), d.int(2, 30), d.int(1, 40)
    if d.kind in ("times", "over"):
        b = d.int(2, 12)
    d(v=v, b=b, c={"plus": x + b, "minus": x, "times": x * b, "over": x}[d.kind])
    return [(("x", "{v}", {"plus": "c-b", "minus": "c+b", "times": "c/b", "over": "c*b"}[d.kind]),)]


@family("linear_two_step", {
    "plus": ["If {a}{v} + {b} = {c}, what is {v}?", "Solve {a}{v} + {b} = {c}.", "Solve for {v}: {a}{v} + {b} = {c}", "Find {v} if {a}*{v}+{b}={c}.", "What is {v} when {b} + {a}{v} = {c}?",
             "A number is multiplied by {a} and then {b} is added. The result is {c}. What is the number?", "I think of a number, multiply it by {a} and add {b}. I get {c}. What is my number?",
             "{a} times a number plus {b} is {c}. Find the number.", "{b} more than {a} times a number is {c}. What is the number?", "Solve the equation {a}{v}+{b}={c}.", "{a}{v} + {b} = {c}. What is {v}?"],
    "minus": ["If {a}{v} - {b} = {c}, what is {v}?", "Solve {a}{v} - {b} = {c}.", "Solve for {v}: {a}{v} - {b} = {c}", "Find {v} if {a}*{v}-{b}={c}.", "What is {v} when {a}{v} − {b} = {c}?",
              "A number is multiplied by {a} and then {b} is subtracted. The result is {c}. What is the number?", "I think of a number, multiply it by {a} and subtract {b}. I get {c}. What is my number?",
              "{a} times a number minus {b} is {c}. Find the number.", "{b} less than {a} times a number is {c}. What is the number?", "Solve the equation {a}{v}-{b}={c}.", "{a}{v} - {b} = {c}. What is {v}?"],
    "double": ["A number is doubled and then {b} is added. The result is {c}. What is the number?", "Twice a number plus {b} is {c}. Find the number.", "I double a number and add {b}. I get {c}. What is the number?",
               "{b} more than twice a number is {c}. What is the number?", "If you double a number and add {b}, you get {c}. What is the number?", "The double of a number plus {b} equals {c}. What is it?",
               "Two times a number, plus {b}, makes {c}. Find the number.", "{n} doubles a number and adds {b} to get {c}. What was the number?"],
}, digits=True, weight=1.8)
def linear_two_step(d):
    d.kind = d.pick("plus", "plus", "minus", "double")
    v, a, b, x = d.pick(*"xynzwtkm"), d.int(2, 12), d.int(1, 40), d.int(1, 20)
    if d.kind == "double":
        a = 2
    d(v=v, a=a, b=b, c=a * x + b if d.kind != "minus" else a * x - b)
    if d["c"] <= 0:
        d(c=a * (x + b) - b)
    name = "{v}" if d.kind != "double" else "The number"
    return [(("move", "{a}{v}" if d.kind != "double" else "Twice the number", "c-b" if d.kind != "minus" else "c+b"), ("x", name, "move/a"))]


@family("expression_two", {
    "ab+c": ["What is {a} * {b} + {c}?", "Compute {a}*{b}+{c}.", "Calculate {a} × {b} + {c}.", "{a} * {b} + {c} = ?", "Evaluate {a}*{b} + {c}", "Find the value of {a} × {b} + {c}.", "Work out {c} + {a} * {b}.", "How much is {c} + {a} × {b}?"],
    "ab-c": ["What is {a} * {b} - {c}?", "Compute {a}*{b}-{c}.", "Calculate {a} × {b} - {c}.", "{a} * {b} - {c} = ?", "Evaluate {a}*{b} - {c}", "Find the value of {a} × {b} - {c}.", "Work out {a} * {b} − {c}.", "How much is {a} × {b} - {c}?"],
    "(a+b)c": ["What is ({a} + {b}) * {c}?", "Compute ({a}+{b})*{c}.", "Calculate ({a} + {b}) × {c}.", "({a} + {b}) * {c} = ?", "Evaluate {c}*({a}+{b})", "Find the value of {c} × ({a} + {b}).", "Work out ({a}+{b})×{c}.", "How much is {c}({a} + {b})?"],
    "(a-b)c": ["What is ({a} - {b}) * {c}?", "Compute ({a}-{b})*{c}.", "Calculate ({a} - {b}) × {c}.", "({a} - {b}) * {c} = ?", "Evaluate {c}*({a}-{b})", "Find the value of {c} × ({a} - {b}).", "Work out ({a}-{b})×{c}.", "How much is {c}({a} − {b})?"],
    "a/b+c": ["What is {t} / {b} + {c}?", "Compute {t}/{b}+{c}.", "Calculate {t} ÷ {b} + {c}.", "{t} / {b} + {c} = ?", "Evaluate {t}/{b} + {c}", "Find the value of {t} ÷ {b} + {c}.", "Work out {c} + {t} / {b}.", "How much is {c} + {t} ÷ {b}?"],
    "a+b-c": ["What is {a} + {b} - {c}?", "Compute {a}+{b}-{c}.", "Calculate {a} + {b} − {c}.", "{a} + {b} - {c} = ?", "Evaluate {a}+{b}-{c}", "Find the value of {a} + {b} - {c}.", "Work out {a} + {b} - {c}.", "How much is {a} plus {b} minus {c}?"],
    "a-b-c": ["What is {t} - {b} - {c}?", "Compute {t}-{b}-{c}.", "Calculate {t} − {b} − {c}.", "{t} - {b} - {c} = ?", "Evaluate {t}-{b}-{c}", "Find the value of {t} - {b} - {c}.", "Work out {t} - {b} - {c}.", "How much is {t} minus {b} minus {c}?"],
}, digits=True, weight=1.5)
def expression_two(d):
    d.kind = d.pick("ab+c", "ab-c", "(a+b)c", "(a-b)c", "a/b+c", "a+b-c", "a-b-c")
    a, b, c = d.int(2, 20), d.int(2, 12), d.int(2, 12)
    kind = d.kind
    if kind == "ab-c":
        c = d.int(1, a * b - 1)
    if kind == "(a-b)c" and a <= b:
        a += b
    if kind == "a+b-c":
        a, b = d.int(2, 99), d.int(2, 99)
        c = d.int(1, a + b - 1)
    t = a * b if kind == "a/b+c" else b + c + d.int(1, 60)
    d(a=a, b=b, c=c, t=t)
    first, second = {"ab+c": ("a*b", "first+c"), "ab-c": ("a*b", "first-c"), "(a+b)c": ("a+b", "first*c"), "(a-b)c": ("a-b", "first*c"),
                     "a/b+c": ("t/b", "first+c"), "a+b-c": ("a+b", "first-c"), "a-b-c": ("t-b", "first-c")}[kind]
    return [(("first", "First", first), ("second", "Then", second))]


@family("expression_three", {
    "(a+b)c-e": ["What is ({a} + {b}) * {c} - {e}?", "Compute ({a}+{b})*{c}-{e}.", "Calculate ({a} + {b}) × {c} - {e}.", "({a}+{b})*{c}-{e} = ?", "Evaluate ({a} + {b})*{c} - {e}", "Find the value of ({a} + {b}) × {c} − {e}.", "Work out {c}*({a}+{b})-{e}.", "How much is ({a}+{b}) × {c} - {e}?"],
    "ab+ce": ["What is {a} * {b} + {c} * {e}?", "Compute {a}*{b}+{c}*{e}.", "Calculate {a} × {b} + {c} × {e}.", "{a}*{b}+{c}*{e} = ?", "Evaluate {a}*{b} + {c}*{e}", "Find the value of {a} × {b} + {c} × {e}.", "Work out {a}*{b} + {c}*{e}.", "How much is {a} × {b} + {c} × {e}?"],
}, digits=True, weight=0.9)
def expression_three(d):
    d.kind = d.pick("(a+b)c-e", "ab+ce")
    a, b, c = d.int(2, 12), d.int(2, 12), d.int(2, 9)
    if d.kind == "ab+ce":
        d(a=a, b=b, c=c, e=d.int(2, 12))
        return [(("first", "First", "a*b"), ("second", "Second", "c*e"), ("all", "Then", "first+second"))]
    d(a=a, b=b, c=c, e=d.int(1, (a + b) * c - 1))
    return [(("first", "First", "a+b"), ("second", "Second", "first*c"), ("all", "Then", "second-e"))]


@family("one_operation", {
    "+": ["What is {a} + {b}?", "Compute {a}+{b}.", "Add {a} and {b}.", "What is the sum of {a} and {b}?", "{a} + {b} = ?", "How much is {a} plus {b}?", "Calculate {a} + {b}.", "Find {a} + {b}"],
    "-": ["What is {a} - {b}?", "Compute {a}-{b}.", "Subtract {b} from {a}.", "What is the difference of {a} and {b}?", "{a} - {b} = ?", "How much is {a} minus {b}?", "Calculate {a} − {b}.", "Take {b} away from {a}."],
    "*": ["What is {a} * {b}?", "Compute {a}*{b}.", "Multiply {a} by {b}.", "What is the product of {a} and {b}?", "{a} * {b} = ?", "How much is {a} times {b}?", "Calculate {a} × {b}.", "Find {a} x {b}"],
    "/": ["What is {a} / {b}?", "Compute {a}/{b}.", "Divide {a} by {b}.", "What is the quotient of {a} and {b}?", "{a} / {b} = ?", "How much is {a} divided by {b}?", "Calculate {a} ÷ {b}.", "Find {a} : {b}"],
}, digits=True, weight=1.6)
def one_operation(d):
    d.kind = d.pick("+", "-", "*", "/")
    if d.kind in "+-":
        b = d.int(2, d.pick(20, 99, 999, 4999))
        d(b=b, a=d.int(2, d.pick(20, 99, 999, 4999)) + (b if d.kind == "-" else 0))
    else:
        a, b = d.int(2, d.pick(12, 30, 99, 400)), d.int(2, d.pick(9, 12))
        if a < 100 and d.chance(0.2):
            b = d.int(2, 30)
        d(a=a if d.kind == "*" else a * b, b=b)
    return [(("value", "Result", f"a{d.kind}b"),)]


@family("sequence_next", [
    "What is the next number: {a}, {b}, {c}, {e}, ...?", "Find the next term of {a}, {b}, {c}, {e}.", "{a}, {b}, {c}, {e}, ? What comes next?",
    "A sequence goes {a}, {b}, {c}, {e}. What is the next number?", "Continue the pattern {a}, {b}, {c}, {e} by one number.", "Which number follows {a}, {b}, {c}, {e}?",
    "{n} counts {a}, {b}, {c}, {e}. What number does {he} say next?", "What number comes after {e} in the pattern {a}, {b}, {c}, {e}?",
], digits=True, weight=0.6)
def sequence_next(d):
    a, s = d.int(1, 40), d.int(2, 15)
    d(a=a, b=a + s, c=a + 2 * s, e=a + 3 * s)
    return [(("step", "Step", "e-c", "b-a", "c-b"), ("next", "Next number", "e+step"))]


@family("sequence_term", [
    "A sequence starts at {a} and goes up by {s} each time. What is the {k}th term?", "The first number is {a} and each next number is {s} more. What is the {k}th number?",
    "{n} writes {a} and then adds {s} again and again. What is the {k}th number {he} writes?", "Find the {k}th term of the sequence that begins with {a} and has step {s}.",
    "An arithmetic sequence has first term {a} and difference {s}. Find term {k}.", "What is term number {k} if the first term is {a} and every term is {s} larger than the one before?",
    "Row 1 has {a} seats and each next row has {s} more. How many seats are in row {k}?", "On day 1 {n} runs {a} meters. Each day {he} runs {s} meters more. How far does {he} run on day {k}?",
], held_out=True)
def sequence_term(d):
    d(a=d.int(1, 30), s=d.int(2, 9), k=d.int(4, 10), one=1)
    return [(("steps", "Steps", "k-one"), ("growth", "Growth", "steps*s"), ("term", "The term", "a+growth"))]


@family("average", {
    "two": ["What is the average of {a} and {b}?", "Find the mean of {a} and {b}.", "{n} scored {a} and {b} points. What is {his} average?", "Compute the average of the numbers {a} and {b}.",
            "{n} has {a things} and {n2} has {b}. What is the average number of {things}?", "Two boxes weigh {a} kg and {b} kg. What is their average weight?", "The mean of {a} and {b} is what number?", "One day {n} read {a} pages, the next {b}. What is the average per day?"],
    "three": ["What is the average of {a}, {b} and {c}?", "Find the mean of {a}, {b} and {c}.", "{n} scored {a}, {b} and {c} points. What is {his} average?", "Compute the average of the numbers {a}, {b}, {c}.",
              "On three days {n} sold {a}, {b} and {c things}. What is the average per day?", "Three boxes weigh {a} kg, {b} kg and {c} kg. What is their average weight?", "The mean of {a}, {b} and {c} is what number?", "{n} got {a}, {b} and {c} on three tests. Find {his} average score."],
}, weight=0.9)
def average(d):
    d.thing()
    d.kind = d.pick("two", "three")
    mean, shift = d.int(5, 60), d.int(1, 4)
    if d.kind == "two":
        d(a=mean + shift, b=mean - shift, two=2)
        return [(("sum", "Sum", "a+b"), ("mean", "Average", "sum/two"))]
    other = d.int(0, 3)
    d(a=mean + shift, b=mean - other, c=mean - shift + other, three=3)
    return [(("sum", "Sum", "a+b+c"), ("mean", "Average", "sum/three"))]


@family("age", {
    "future": ["{n} is {a} years old. How old will {he} be in {k} years?", "In {k} years, how old will {n} be if {he} is {a} now?", "{n} is {a}. What will {his} age be {k} years from now?", "{n} is {a} years old today. Find {his} age after {k} years."],
    "past": ["{n} is {a} years old. How old was {he} {k} years ago?", "{k} years ago, how old was {n} if {he} is {a} now?", "{n} is {a}. What was {his} age {k} years ago?", "{n} is {a} years old today. Find {his} age {k} years before."],
    "older": ["{n} is {a} years old. {n2} is {k} years older. How old will {n2} be in {m} years?", "{n2} is {k} years older than {n}, who is {a}. How old will {n2} be {m} years from now?",
              "{n} is {a}. {n2} is {k} years older. What is {n2}'s age in {m} years?", "In {m} years, how old will {n2} be if {he2} is {k} years older than {n}, who is {a}?"],
    "times": ["{n} is {a} years old. {n2} is {m} times as old. How old will {n2} be in {k} years?", "{n2} is {m} times as old as {n}, who is {a}. How old will {n2} be {k} years from now?",
              "{n} is {a}. {n2} is {m} times as old. What is {n2}'s age in {k} years?", "{n} is {a} and {n2} is {m} times as old as {n}. Find {n2}'s age in {k} years."],
}, weight=1.0)
def age(d):
    d.kind = d.pick("future", "past", "older", "times")
    k = d.int(2, 12)
    d(k=k, a=d.int(3, 40) + (k if d.kind == "past" else 0), m=d.int(2, 4))
    if d.kind == "times" and d["a"] > 20:
        d(a=d.int(3, 20))
    if d.kind in ("future", "past"):
        return [(("age", "Age of {n}", "a+k" if d.kind == "future" else "a-k"),)]
    now = ("now", "{n2} now", "a+k" if d.kind == "older" else "a*m")
    return [(now, ("later", "{n2} later", "now+m" if d.kind == "older" else "now+k"))]


@family("consecutive", [
    "The sum of {three} consecutive numbers is {t}. What is the middle number?", "{three} consecutive integers add up to {t}. Find the middle one.", "{n} adds three numbers in a row and gets {t}. What is the middle number?",
    "Three consecutive numbers have the sum {t}. What is the second number?", "Find the middle of three consecutive numbers whose sum is {t}.", "If three numbers in a row make {t} together, what is the middle one?",
    "The total of 3 consecutive whole numbers is {t}. Which number is in the middle?", "Three houses in a row have numbers that follow each other and add up to {t}. What is the number of the middle house?",
], weight=0.4)
def consecutive(d):
    d(three=3, t=3 * d.int(2, 60))
    return [(("middle", "Middle number", "t/three"),)]
