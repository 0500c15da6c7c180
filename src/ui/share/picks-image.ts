import type { Run } from '../../domain/run.ts';
import { pickSentence } from '../../picks/sentence.ts';
import { METHOD_TEXTS } from '../picks/methods.ts';
import type { Facts, Truth } from '../state/facts.ts';

const WIDTH = 960;
const MARGIN = 32;
const COLUMN = (WIDTH - 2 * MARGIN) / 2;
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif";

const TRUTHS: Record<Truth, { readonly text: string; readonly colour: string }> = {
  right: { text: '✓ right', colour: '#0a6b45' },
  wrong: { text: '✕ wrong', colour: '#a8123f' },
  unknown: { text: 'not checked', colour: '#5f6774' },
};

/** The four picks with their reasons as an SVG file of its own, in the light colours, for a slide or a post. */
export function picksImage(run: Run, facts: Facts): Blob {
  const parts: string[] = [];
  let y = MARGIN + 18;
  for (const line of wrap(run.problem.text, 88).slice(0, 4)) {
    parts.push(textAt(MARGIN, y, line, 19, '#15191f', 600));
    y += 27;
  }
  y += 8;
  for (let row = 0; row < facts.picks.length; row += 2) {
    const pair = facts.picks.slice(row, row + 2);
    const reasons = pair.map((pick) => wrap(pickSentence(pick), 58));
    const height = 92 + Math.max(...reasons.map(({ length }) => length)) * 19;
    for (const [column, pick] of pair.entries()) {
      const left = MARGIN + column * COLUMN;
      parts.push(
        `<rect x="${left}" y="${y}" width="${COLUMN}" height="${height}" fill="#ffffff" stroke="#d8dce3"/>`,
        textAt(left + 16, y + 28, METHOD_TEXTS[pick.method].title, 15, '#15191f', 650),
      );
      const answer = pick.kind === 'picked' ? clip(pick.answer, 22) : '–';
      parts.push(textAt(left + 16, y + 66, answer, 30, '#15191f', 600));
      const truth = pick.kind === 'picked' ? (facts.lanes[pick.lane]?.truth ?? null) : null;
      if (truth !== null) {
        const { text, colour } = TRUTHS[truth];
        const at = left + COLUMN - 16;
        parts.push(textAt(at, y + 66, text, 15, colour, 600, 'end'));
      }
      for (const [i, line] of reasons[column]!.entries()) {
        parts.push(textAt(left + 16, y + 92 + i * 19, line, 14, '#4a515c', 400));
      }
    }
    y += height;
  }
  const { n, temperature, seed } = run.settings;
  const made = `Steplight · ${run.models.generator.id} · N = ${n}, temperature ${temperature}, seed ${seed}`;
  parts.push(textAt(MARGIN, y + 30, made, 13, '#5f6774', 400));
  const height = y + 30 + MARGIN - 12;
  return new Blob(
    [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="${FONT}">`,
      `<rect width="100%" height="100%" fill="#f4f5f7"/>`,
      ...parts,
      '</svg>',
    ],
    { type: 'image/svg+xml' },
  );
}

function textAt(
  x: number,
  y: number,
  text: string,
  size: number,
  colour: string,
  weight: number,
  anchor: 'start' | 'end' = 'start',
): string {
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${colour}" text-anchor="${anchor}">${escapeXml(text)}</text>`;
}

/** Everything that is written may come from a stranger's link; control characters are not allowed in XML at all. */
function escapeXml(text: string): string {
  return (
    text
      // eslint-disable-next-line no-control-regex -- these are the characters that XML forbids
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  );
}

function wrap(text: string, characters: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + word.length + 1 > characters) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? clip(word, characters) : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}

function clip(text: string, characters: number): string {
  const all = [...text];
  return all.length <= characters ? text : `${all.slice(0, characters - 1).join('')}…`;
}
