/**
 * Finds the final answer in a solution's text.
 *
 * The first that matches wins: the solution's own declared answer line (`# Answer`, `Answer:`, `A:`, `#### `,
 * "the final answer is"; the last such line if it declares several times), then the last balanced `\boxed{...}`,
 * else none. Every pass is linear in the length of the text.
 */

/**
 * Returns the declared answer without its marker, or `null` where the solution declares none. `null` means that the
 * solution is incomplete. The answer is as written, apart from the box, the emphasis and the calculator notes
 * (`<<2+3=5>>`) around it. Never throws.
 */
export function extractAnswer(text: string): string | null {
  return declaredAnswer(text) ?? lastBoxed(text);
}

/** A Markdown heading or a bold line may carry the marker; `**Answer:** 5` puts the colon inside the bold. */
const HEADING = /^[ \t>*_#-]*(?:final[ \t]+)?answer[ \t]*[*_]*[ \t]*(?:[:：][ \t]*)?[*_]*[ \t]*$/i;
const ANSWER_COLON = /^[ \t>*_#-]*(?:the[ \t]+)?(?:final[ \t]+)?answer[ \t]*[*_]*[ \t]*[:：](.*)$/i;
const HEADING_MARK = /^[ \t>]*(?:#{1,6}[ \t]|\*\*|__)/;
const LETTER_A = /^[ \t]*A[ \t]*[:：](.*)$/;
const LETTER_B = /^[ \t]*B[ \t]*[:：]/;
const HASHES = /^[ \t]*####[ \t]+(.*)$/;
/** A fourth-level Markdown heading is not an answer. */
const SECTION_WORD =
  /^[*_]*(?:step|part|case|solution|explanation|conclusion|verification|check|summary|note|final|given|approach|analysis|calculations?|answer)\b/i;
/** Searched by `lastIndexOf` on the lower-cased line, so that no pattern can backtrack. "the answer is:" is what Math-Shepherd writes. */
const SENTENCES = ['the final answer is', 'the answer is:'] as const;

function declaredAnswer(text: string): string | null {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  const labelled = lines.some((line) => LETTER_B.test(line));
  // "A: 3 apples" above "B: 4 apples" is a table, not an answer; only a closing "A:" is one then.
  let last = lines.length - 1;
  while (last > 0 && lines[last]!.trim() === '') last--;
  for (let i = lines.length - 1; i >= 0; i--) {
    const declared = declaredOnLine(lines, i, !labelled || i === last);
    if (declared !== null) {
      const answer = tidy(declared);
      if (answer !== '') return answer;
    }
  }
  return null;
}

function declaredOnLine(lines: readonly string[], index: number, allowLetter: boolean): string | null {
  const line = lines[index]!;
  if (line.length <= 80 && HEADING.test(line) && (HEADING_MARK.test(line) || /[:：]/.test(line))) {
    return paragraphAfter(lines, index);
  }
  const colon = ANSWER_COLON.exec(line);
  if (colon !== null) return colon[1]!;
  if (allowLetter) {
    const letter = LETTER_A.exec(line);
    if (letter !== null) return letter[1]!;
  }
  const hashes = HASHES.exec(line);
  if (hashes !== null && !SECTION_WORD.test(hashes[1]!)) return hashes[1]!;
  const lower = line.toLowerCase();
  // Lower-casing may change the length of exotic letters; the position would then be wrong.
  if (lower.length === line.length) {
    for (const sentence of SENTENCES) {
      const at = lower.lastIndexOf(sentence);
      if (at >= 0) return endOfSentence(line.slice(at + sentence.length).replace(/^[ \t]*[:：]/, ''));
    }
  }
  return null;
}

/** The first paragraph below a heading: the lines up to the next blank one. */
function paragraphAfter(lines: readonly string[], index: number): string {
  const found: string[] = [];
  for (let i = index + 1; i < lines.length; i++) {
    const line = lines[i]!;
    if (line.trim() === '') {
      if (found.length > 0) break;
      continue;
    }
    found.push(line);
  }
  return found.join('\n');
}

/** Cuts what follows the answer's sentence ("... is 5. I hope it is correct."), but no decimal point. */
function endOfSentence(rest: string): string {
  const end = rest.search(/\.(?:[ \t]|$)/);
  return end < 0 ? rest : rest.slice(0, end);
}

function tidy(raw: string): string {
  let answer = raw.replace(/<<[^<>]*>>/g, '').trim();
  answer = lastBoxed(answer) ?? answer;
  for (const mark of ['**', '__', '`']) {
    while (answer.startsWith(mark)) answer = answer.slice(mark.length).trimStart();
    while (answer.endsWith(mark)) answer = answer.slice(0, -mark.length).trimEnd();
  }
  return answer;
}

/**
 * The content of the last `\boxed{...}` (or `\fbox{...}`) whose braces balance, `null` if there is none. Of nested
 * boxes the inner one counts. Escaped braces do not count as braces.
 */
export function lastBoxed(text: string): string | null {
  if (!text.includes('\\boxed') && !text.includes('\\fbox')) return null;
  const open: { content: number; boxed: boolean }[] = [];
  let bestStart = -1;
  let best: string | null = null;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '\\') {
      const box = text.startsWith('\\boxed', i) ? 6 : text.startsWith('\\fbox', i) ? 5 : 0;
      if (box === 0) {
        i++;
        continue;
      }
      let brace = i + box;
      while (text[brace] === ' ') brace++;
      if (text[brace] === '{') {
        open.push({ content: brace + 1, boxed: true });
        i = brace;
      } else {
        // `\boxed 5`: TeX takes one token; people mean the number.
        const bare = /^-?\d[\d.,]*/.exec(text.slice(brace, brace + 40));
        if (bare !== null) {
          best = bare[0].replace(/[.,]+$/, '');
          bestStart = brace;
        }
        i = brace - 1;
      }
    } else if (c === '{') {
      open.push({ content: i + 1, boxed: false });
    } else if (c === '}') {
      const group = open.pop();
      if (group?.boxed === true && group.content > bestStart) {
        const content = text.slice(group.content, i).trim();
        if (content !== '') {
          best = content;
          bestStart = group.content;
        }
      }
    }
  }
  return best;
}
