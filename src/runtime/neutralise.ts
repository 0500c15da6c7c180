/**
 * A text in which none of the tokenizer's special texts is left whole: a space after the first character of each keeps
 * it readable for people. Text from outside could otherwise end the question and speak for the model.
 *
 * @param special texts that the tokenizer reads as one token wherever they stand
 */
export function neutralise(text: string, special: readonly string[]): string {
  // Part of no special text, so that none comes about by taking another one apart.
  let separator = ' ';
  for (let code = 0xb7; special.some((token) => token.includes(separator)); code++)
    separator = String.fromCodePoint(code);

  let safe = text;
  for (const token of special) {
    const [first, ...rest] = token;
    if (first === undefined) continue;
    // A single character cannot be taken apart; it is left out.
    const apart = rest.length === 0 ? separator : first + separator + rest.join('');
    // Where two of them overlap, the second is still whole after the first round.
    while (safe.includes(token)) safe = safe.replaceAll(token, () => apart);
  }
  return safe;
}
