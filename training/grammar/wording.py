"""Number words, and phrases that many families share."""
from __future__ import annotations

import re
from fractions import Fraction

_ONES = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
         "sixteen seventeen eighteen nineteen").split()
_TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
ORDINALS = {2: "half", 3: "third", 4: "quarter", 5: "fifth", 6: "sixth", 7: "seventh", 8: "eighth", 9: "ninth", 10: "tenth"}


def words(number: int) -> str:
    """English for 0 to 999."""
    if number < 20:
        return _ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")
    hundreds, rest = divmod(number, 100)
    return f"{_ONES[hundreds]} hundred" + (f" {words(rest)}" if rest else "")


_VALUE = {words(n): n for n in range(100)} | {
    "twice": 2, "double": 2, "doubled": 2, "doubles": 2, "half": 2, "pair": 2, "pairs": 2, "thrice": 3, "triple": 3,
    "tripled": 3, "triples": 3, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5, "fifths": 5,
    "sixth": 6, "sixths": 6, "seventh": 7, "sevenths": 7, "eighth": 8, "eighths": 8, "ninth": 9, "tenth": 10,
    "tenths": 10, "dozen": 12, "dozens": 12, "halves": 2, "hundred": 100, "both": 2,
}
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?|[a-z]+(?:-[a-z]+)?")


def numbers_in(text: str) -> set[Fraction]:
    """Every number a reader finds in the text, in digits or in words."""
    found: set[Fraction] = set()
    for token in _NUMBER.findall(text.lower()):
        if token[0].isdigit():
            found.add(Fraction(token.replace(",", "").rstrip(".")))
        elif token in _VALUE:
            found.add(Fraction(_VALUE[token]))
        elif "-" in token:
            found.update(Fraction(_VALUE[part]) for part in token.split("-") if part in _VALUE)
    return found


# `<name x>` in a template becomes the phrase with # replaced by x. Square brackets list alternatives.
PHRASES = {
    "of": "[{# things}|{# things}|{#}|{#} of them|{#} of the {things}|{#} of {his} {things}]",
    "more": "[{#} more {things}|{#} more|another {# things}|{# things} more|{#} extra {things}|{#} new {things}]",
    "lost": "[gave away <of #>|lost <of #>|sold <of #>|gave {n2} <of #>|gave <of #> to {n2}|threw away <of #>|donated <of #>"
            "|used <of #>|misplaced <of #>|handed <of #> to {n2}|lent <of #> to {n2}|traded away <of #>|got rid of {# things}"
            "|had to return <of #>|mailed <of #> to {n2}|left <of #> at {n2}'s house|put <of #> aside for {n2}]",
    "ate": "[ate <of #>|ate <of #> for lunch|shared <of #> with {n2}|fed <of #> to the birds|gave {n2} <of #>|dropped <of #>"
           "|gave away <of #>|sold <of #>|used <of #> for a pie|took <of #> to school|threw out <of #> that had gone bad]",
    "got": "[bought <more #>|found <more #>|got <more #>|received <more #>|picked up <more #>|collected <more #>"
           "|was given <more #>|got <more #> from {n2}|won <more #>|added <more #>|bought <more #> at the store]",
    "had": "[had|owned|started with|began with|collected|had saved up|kept|bought|got]",
    "left?": "[How many {things} [are left|remain|{does he} have left|does {n} have left|does {n} still have|does {n} have now"
             "|{does he} have now|did {n} have left|did {he} have then|did {n} end up with|are still there|will {n} have|would {he} still have]?"
             "|Find [how many {things} {n} has left|the number of {things} left].|What number of {things} [is left|does {n} have now]?"
             "|Work out how many {things} {n} has now.]",
    "now?": "[How many {things} [does {n} have now|{does he} have now|does {n} have [in all|altogether|in total|then]"
            "|did {n} end up with|did {he} have [then|after that|in the end]|will {n} have|would {n} have]?|Find the number of {things} {n} has now."
            "|What is the [new|total] number of {things}?|What number of {things} does {n} have now?]",
    "all?": "[How many {things} [are there|did they have|do they have] [in all|altogether|in total|all together]?"
            "|What is the total number of {things}?|Find the total number of {things}.|How many {things} is that [in all|altogether|in total]?]",
    "place": "[in the park|at the market|on Sunday|last week|at school|in the morning|at the fair|yesterday|in the shop|on Monday|this year|one day]",
}
_CALL = re.compile(r"<([a-z]+\??)(?: (\w+))?>")


def expand(template: str) -> str:
    """Replaces `<phrase x>` until none is left."""
    while True:
        new = _CALL.sub(lambda call: PHRASES[call[1]].replace("#", call[2] or "#"), template)
        if new == template:
            return new
        template = new
