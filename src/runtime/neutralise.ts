/**
 * A text in which none of the tokenizer's special texts is left whole: a space after the first character of each keeps
 * it readable for people. Text from outside could otherwise end the question and speak for the model.
 *
 * @param special texts that the tokenizer reads as one token wherever they stand
 */
export function neutralise(text: string, special: readonly string[]): string {
  let safe = text;
  // The longest first, so that what is left of one is not another.
  for (const token of [...special].sort((a, b) => b.length - a.length)) {
    // A single character cannot be taken apart; it is left out.
    const apart = token.length > 1 ? `${token[0]} ${token.slice(1)}` : '';
    while (safe.includes(token) && !apart.includes(token)) safe = safe.replaceAll(token, apart);
  }
  return safe;
}
