import { describe, expect, it, test } from 'vitest';
import { fillPiece } from '../../../src/domain/text-layout.ts';
import { ADAPTER_TEXTS, VERIFIER_ADAPTERS, type AdapterName } from '../../../src/domain/verifier-adapters.ts';
import type { VerifierLayout } from '../../../src/domain/verifier.ts';
import { chatFrames } from '../../../src/runtime/chat-frames.ts';
import { neutralise } from '../../../src/runtime/neutralise.ts';
import { readableHead } from '../../../src/scoring/read-head.ts';
import { layOut } from '../../../src/scoring/verifier-layout.ts';
import { pocketTokenizer } from './real-tokenizer.ts';
import { CHATML, LLAMA, wordTokenizer, type WordTokenizer } from './word-tokenizer.ts';

/** Stem and probe in words. */
function wordsOf(
  adapter: AdapterName | VerifierLayout,
  tokenizer: WordTokenizer,
  steps: readonly string[],
  problem = 'Q?',
): { stem: string[]; probe: string[] } {
  const layout = typeof adapter === 'string' ? VERIFIER_ADAPTERS[adapter].layout : adapter;
  const { stem, probe } = layOut(layout, tokenizer, problem, steps);
  return { stem: tokenizer.words(stem), probe: tokenizer.words(probe) };
}

/** In this vocabulary a full stop and what follows it can melt into one token. */
const MELTING = ['<s>', 'Q?', 'a', 'b', '.', '\n', '.\n', '\n\n', '.\n\n', '?\n', 'Q'];

describe('pieces that are tokenised apart', () => {
  it('Skywork: the problem with its newline is one piece, each step and each newline are one', () => {
    const tokenizer = wordTokenizer([...MELTING, 'Q?\n'], { bos: '<s>' });
    expect(wordsOf('skywork-prm', tokenizer, ['a.', 'b.'])).toEqual({
      stem: ['<s>', 'Q?\n', 'a', '.', '\n', 'b', '.', '\n'],
      probe: [],
    });
  });

  it('Skywork without a begin-of-text token starts with the problem', () => {
    const tokenizer = wordTokenizer(MELTING);
    expect(wordsOf('skywork-prm', tokenizer, ['a.']).stem).toEqual(['Q?', '\n', 'a', '.', '\n']);
  });

  it('TRL with a newline: the separator never melts into what stands before it', () => {
    const tokenizer = wordTokenizer([...MELTING, 'Q?\n'], { bos: '<s>' });
    expect(wordsOf('trl-newline', tokenizer, ['a.', 'b.'])).toEqual({
      stem: ['Q?', '\n', 'a', '.', '\n', 'b', '.', '\n'],
      probe: [],
    });
  });

  it('TRL with a blank line: the separator is one token if the vocabulary has it', () => {
    const tokenizer = wordTokenizer(MELTING);
    expect(wordsOf('trl-blank-line', tokenizer, ['a.', 'b.'])).toEqual({
      stem: ['Q?', '\n\n', 'a', '.', '\n\n', 'b', '.', '\n\n'],
      probe: [],
    });
  });

  it('TRL with a blank line: of two newline tokens the last one carries the score', () => {
    const tokenizer = wordTokenizer(['Q?', 'a', '.', '\n', '.\n']);
    const { stem } = wordsOf('trl-blank-line', tokenizer, ['a.']);
    expect(stem).toEqual(['Q?', '\n', '\n', 'a', '.', '\n', '\n']);
  });

  it('a joined layout lets them melt, as one text does', () => {
    const { layout } = VERIFIER_ADAPTERS['trl-newline'];
    const tokenizer = wordTokenizer(MELTING);
    expect(wordsOf({ ...layout, joined: true }, tokenizer, ['a.', 'b.']).stem).toEqual([
      'Q?',
      '\n',
      'a',
      '.\n',
      'b',
      '.\n',
    ]);
  });
});

const QWEN = ['<|im_start|>', '<|im_end|>', '<extra_0>', 'system', 'user', 'assistant', 'Be right.', '\n'];

describe('conversations', () => {
  const open = [
    '<|im_start|>',
    'system',
    '\n',
    'Be right.',
    '<|im_end|>',
    '\n',
    '<|im_start|>',
    'user',
    '\n',
  ];

  it('Qwen PRM: the score stands at <extra_0>, which ends every step, and nothing stands between steps', () => {
    const tokenizer = wordTokenizer([...QWEN, 'Q?', 'a', 'b'], { chat: CHATML });
    expect(wordsOf('qwen-prm', tokenizer, ['a', 'b'])).toEqual({
      stem: [
        ...open,
        'Q?',
        ...['<|im_end|>', '\n', '<|im_start|>', 'assistant', '\n'],
        ...['a', '<extra_0>', 'b', '<extra_0>'],
      ],
      probe: [],
    });
  });

  it('Skywork-Reward: all steps as one answer, and the end of the turn as the probe', () => {
    const tokenizer = wordTokenizer([...QWEN, 'Q?', 'a', 'b'], { chat: CHATML });
    expect(wordsOf('skywork-reward', tokenizer, ['a', 'b'])).toEqual({
      stem: [...open, 'Q?', '<|im_end|>', '\n', '<|im_start|>', 'assistant', '\n', 'a', '\n', 'b'],
      probe: ['<|im_end|>', '\n'],
    });
  });

  const llama = wordTokenizer(
    ['<s>', '<|user|>', '<|assistant|>', '<|eot|>', '\n\n', ' ', 'Q?', 'a', 'b', 'c', '+', '-', '\n'],
    { bos: '<s>', chat: LLAMA },
  );
  const reply = ['<|eot|>', '<|assistant|>', '\n\n'];
  const next = ['+', '<|eot|>', '<|user|>', '\n\n'];

  it.each(['rlhflow-prm', 'two-labels'] as const)(
    '%s: the problem opens the first turn, and turns before the last were answered by "+"',
    (name) => {
      const first = ['<s>', '<|user|>', '\n\n', 'Q?', ' ', 'a', ...reply];
      expect(wordsOf(name, llama, ['a'])).toEqual({ stem: first, probe: [] });
      expect(wordsOf(name, llama, ['a', 'b', 'c']).stem).toEqual([
        ...first,
        ...[...next, 'b', ...reply],
        ...[...next, 'c', ...reply],
      ]);
    },
  );

  it('begin-of-text stands once, where the chat template puts it', () => {
    for (const name of ['rlhflow-prm', 'rlhflow-orm'] as const) {
      const { stem } = wordsOf(name, llama, ['a', 'b']);
      expect(stem.filter((word) => word === '<s>')).toHaveLength(1);
    }
  });

  it('RLHFlow ORM: problem and solution are one turn, and the score stands before the answer', () => {
    expect(wordsOf('rlhflow-orm', llama, ['a', 'b'])).toEqual({
      stem: ['<s>', '<|user|>', '\n\n', 'Q?', ' ', 'a', '\n', 'b'],
      probe: reply,
    });
  });

  it('a tokenizer without a chat template is refused', () => {
    const tokenizer = wordTokenizer(['Q?', 'a', '\n']);
    expect(() => wordsOf('qwen-prm', tokenizer, ['a'])).toThrow(/no chat template/);
  });
});

describe('Math-Shepherd', () => {
  const tokenizer = wordTokenizer(['<s>', 'Q?', ' ', 'Step', '1', '2', ':', 'a', 'b', ' ки', '\n'], {
    bos: '<s>',
  });

  it('numbers the steps, and the score stands at the tag', () => {
    const first = ['<s>', 'Q?', ' ', 'Step', ' ', '1', ':', ' ', 'a', ' ки'];
    expect(wordsOf('math-shepherd', tokenizer, ['a'])).toEqual({ stem: first, probe: [] });
    expect(wordsOf('math-shepherd', tokenizer, ['a', 'b']).stem).toEqual([
      ...first,
      ...['\n', 'Step', ' ', '2', ':', ' ', 'b', ' ки'],
    ]);
  });
});

describe('a judge', () => {
  // Every character is a token.
  const { layout } = VERIFIER_ADAPTERS.judge;
  const characters = [...new Set([...JSON.stringify(layout), ...'Q?ab12.\n'])].filter((c) => c !== '\\');
  const tokenizer = wordTokenizer([...characters, ...QWEN], { chat: CHATML });
  const reading = (steps: readonly string[]) => {
    const { stem, probe } = wordsOf('judge', tokenizer, steps);
    return { stem: stem.join(''), probe: probe.join('') };
  };

  it('reads the problem and the numbered steps, and is asked of the last one', () => {
    const { stem, probe } = reading(['a', 'b']);
    expect(stem.startsWith(CHATML.open)).toBe(true);
    expect(stem).toMatch(/Problem: Q\?\n\nSteps:\n1\. a\n2\. b$/);
    expect(probe).toMatch(/^\n\nIs step 2 correct.*Yes or No\./);
    expect(probe.endsWith(CHATML.reply)).toBe(true);
  });

  it('forgets its question before the next step', () => {
    const [one, two] = [reading(['a']), reading(['a', 'b'])];
    expect(two.stem.startsWith(one.stem)).toBe(true);
    expect(two.stem).not.toContain('Is step');
  });
});

describe('a probe that melts into the step', () => {
  const layout: VerifierLayout = {
    joined: true,
    prompt: [],
    step: ['{step}'],
    between: [' '],
    probe: ['!?'],
  };

  it('is read from the place where the two part', () => {
    const tokenizer = wordTokenizer(['a', 'b', 'b!', '!', '?', ' ']);
    expect(wordsOf(layout, tokenizer, ['a', 'b'])).toEqual({ stem: ['a', ' '], probe: ['b!', '?'] });
  });

  it('is read alone where pieces are tokenised apart', () => {
    const tokenizer = wordTokenizer(['a', 'b', 'b!', '!', '?', ' ']);
    expect(wordsOf({ ...layout, joined: false }, tokenizer, ['a', 'b'])).toEqual({
      stem: ['a', ' ', 'b'],
      probe: ['!', '?'],
    });
  });
});

describe('what is filled in', () => {
  const tokenizer = wordTokenizer(['<s>', '<|eot|>', 'x'], { bos: '<s>', chat: LLAMA });

  it('is the problem without blanks around it, or on one line', () => {
    const problem = '  one\n\n two\t3 \n';
    expect(fillPiece('[{problem}]', tokenizer, { problem })).toBe('[one\n\n two\t3]');
    expect(fillPiece('[{problem:line}]', tokenizer, { problem })).toBe('[one two 3]');
  });

  it('cannot speak for the model, nor name other texts', () => {
    const problem = 'say {step} and {bos} <|eot|>';
    expect(fillPiece('{problem}', tokenizer, { problem, step: 'S' })).toBe('say {step} and {bos} < |eot|>');
    expect(fillPiece('{step}{bos}', tokenizer, { problem: '', step: '$& {problem} <s>' })).toBe(
      '$& {problem} < s><s>',
    );
  });

  it('leaves alone what has no such name', () => {
    expect(fillPiece('{x} {chat:other} {Problem}', tokenizer, { problem: 'p' })).toBe(
      '{x} {chat:other} {Problem}',
    );
  });
});

test('every adapter is described, and reads on: what it reads for a step begins what it reads for the next', () => {
  expect(Object.keys(ADAPTER_TEXTS).sort()).toEqual(Object.keys(VERIFIER_ADAPTERS).sort());
  const characters = [...new Set(JSON.stringify([VERIFIER_ADAPTERS, CHATML]) + '\n')];
  const tokenizer = wordTokenizer([...characters, '<s>'], { bos: '<s>', chat: CHATML });
  for (const { layout } of Object.values(VERIFIER_ADAPTERS)) {
    const one = layOut(layout, tokenizer, 'one', ['a']).stem;
    const two = layOut(layout, tokenizer, 'one', ['a', 'b']).stem;
    expect(two.slice(0, one.length)).toEqual(one);
  }
});

const template =
  "{{ bos_token }}{% for m in messages %}{{ m['role'] + '\n' + m['content'] + eos_token + '\n' }}{% endfor %}";
const loaded = await pocketTokenizer(template);

describe('with the tokenizer of the pocket models', () => {
  const tokenizer = {
    encode: (text: string) => loaded.encode(text, { add_special_tokens: false }),
    neutralise: (text: string) => neutralise(text, ['<pad>', '<bos>', '<eos>']),
    bosText: '<bos>',
    chat: chatFrames(loaded),
  };
  const encode = (...pieces: string[]) => pieces.flatMap((piece) => tokenizer.encode(piece));
  const [pad, bos, eos] = [0, 1, 2];
  const problem = 'Tom has 12 apples and eats 5. How many are left? <eos>';
  const read = 'Tom has 12 apples and eats 5. How many are left? < eos>';
  const steps = ['Apples left: 12 - 5 = 7', 'Answer: 7<bos>'];

  it('Skywork: begin-of-text once, and no special token out of what was typed', () => {
    const { stem } = layOut(VERIFIER_ADAPTERS['skywork-prm'].layout, tokenizer, problem, steps);
    expect(stem).toEqual(
      [[bos], encode(`${read}\n`, steps[0]!, '\n'), encode('Answer: 7< bos>', '\n')].flat(),
    );
    expect(stem.filter((token) => [pad, bos, eos].includes(token))).toEqual([bos]);
  });

  it('RLHFlow: the turns are those of the chat template', () => {
    const { stem } = layOut(VERIFIER_ADAPTERS['rlhflow-prm'].layout, tokenizer, problem, ['7', '7']);
    const rendered = loaded.apply_chat_template(
      [
        { role: 'user', content: `${read} 7` },
        { role: 'assistant', content: '+' },
        { role: 'user', content: '7' },
        { role: 'assistant', content: '+' },
      ],
      { tokenize: false },
    );
    expect(loaded.decode([...stem])).toBe(rendered.slice(0, rendered.lastIndexOf('+')));
    expect(stem).toEqual(encode(rendered.slice(0, rendered.lastIndexOf('+'))));
  });

  it('Skywork-Reward: all of it is the conversation as the template renders it', () => {
    const { stem, probe } = layOut(VERIFIER_ADAPTERS['skywork-reward'].layout, tokenizer, problem, [
      'a',
      'b',
    ]);
    const rendered = loaded.apply_chat_template(
      [
        { role: 'user', content: read },
        { role: 'assistant', content: 'a\nb' },
      ],
      { tokenize: false },
    );
    expect([...stem, ...probe]).toEqual(encode(rendered));
  });

  it('verdicts are single tokens, or refused', () => {
    expect(readableHead(VERIFIER_ADAPTERS['math-shepherd'].head, tokenizer.encode)).toEqual({
      kind: 'tokens',
      output: 'logits',
      good: encode('+')[0],
      bad: encode('-')[0],
    });
    expect(() =>
      readableHead({ kind: 'tokens', output: 'logits', good: 'ки', bad: '-' }, tokenizer.encode),
    ).toThrow(/"ки" has \d+ tokens/);
  });
});
