/** A longer problem is none of those that the pocket models learned: of 20,000, one in 300 has more words. */
const MOST_WORDS = 40;

/** One strange word may be the name of a thing, which the models can copy; a second one is another kind of text. */
const MOST_STRANGE = 1;

/** Shorter texts are still being typed, or are sums. */
const FEWEST_WORDS = 6;

/**
 * Whether a problem looks beyond what the pocket models learned, judged by its text alone: it is longer than theirs, or
 * has words that theirs do not have. Names are no such words, nor is the plural of one that was counted.
 *
 * @param learned words of the problems that they learned (pocket-words.json), in lower case
 */
export function looksBeyondPocket(text: string, learned: ReadonlySet<string>): boolean {
  const words = text.replaceAll('’', "'").match(/[a-z]+(?:'[a-z]+)?/giu) ?? [];
  if (text.split(/\s+/u).filter((part) => part !== '').length > MOST_WORDS) return true;
  if (words.length < FEWEST_WORDS) return false;
  const strange = new Set<string>();
  for (const word of words) {
    // A capital begins a name or a sentence.
    if (/^[A-Z]/u.test(word) || learned.has(word)) continue;
    strange.add(word.replace(/(?:es|s|'s)$/u, ''));
  }
  return strange.size > MOST_STRANGE;
}
