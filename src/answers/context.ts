/** What a problem's text settles about its answer. Heuristics: each must be plain in the text, else nothing is settled. */
export interface Hints {
  /** It asks for all of several answers in no order. */
  readonly asksForSet: boolean;
  readonly asksForPercent: boolean;
  readonly asksForRatio: boolean;
  readonly asksForTime: boolean;
  /** It writes decimals with a comma, and none with a point. */
  readonly decimalComma: boolean;
  /** Its words in lower case, and their singulars. */
  readonly words: ReadonlySet<string>;
}

export const NO_HINTS: Hints = {
  asksForSet: false,
  asksForPercent: false,
  asksForRatio: false,
  asksForTime: false,
  decimalComma: false,
  words: new Set(),
};

const MAX_CHARACTERS = 4_000;

export function readHints(problem: string): Hints {
  const text = problem.slice(0, MAX_CHARACTERS);
  const lower = text.toLowerCase();
  const ordered =
    /\b(?:in (?:increasing|decreasing|ascending|descending|that|this) order|ordered (?:pairs?|triples?)|respectively|from (?:least|greatest|smallest|largest))\b/.test(
      lower,
    );
  const several =
    /\b(?:find|list|give|determine|enter|what are|name|state|compute)\b[^.?!]{0,60}\b(?:all|every|both|each of the)\b/.test(
      lower,
    ) ||
    /separated by commas|\b(?:set of|what are the) (?:all |possible |real |complex |integer )*(?:solutions?|roots|values|zeros|integers|numbers)\b/.test(
      lower,
    );
  return {
    asksForSet: several && !ordered,
    asksForPercent:
      /\b(?:what|which|how many) (?:percent|percentage|per cent)\b|\bas an? percent|\bwhat (?:is|was|will be) the (?:\w+ ){0,2}percent(?:age)?\b|\b(?:find|determine|calculate) the (?:\w+ ){0,2}percentage\b/.test(
        lower,
      ),
    asksForRatio: /\bratio\b/.test(lower),
    asksForTime: /\bwhat time\b|\bat what (?:hour|time)\b|\bo'clock\b|\b(?:a\.m\.|p\.m\.)/.test(lower),
    decimalComma:
      /\d,\d{1,2}(?![\d,])/.test(text.replace(/\d{1,3}(?:[., ]\d{3})+(?!\d)/g, '')) && !/\d\.\d/.test(text),
    words: new Set((lower.match(/[a-z]+/g) ?? []).flatMap((word) => [word, singular(word)])),
  };
}

/** Good enough to match "eggs" with "egg" and "boxes" with "box". */
export function singular(word: string): string {
  if (word.length > 3 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && /(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 2 && word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1);
  return word;
}
