import type { VerifierAdapter, VerifierLayout } from './verifier.ts';

/** Ways of reading that published verifiers share. */
export type AdapterName =
  | 'trl-newline'
  | 'trl-blank-line'
  | 'skywork-prm'
  | 'qwen-prm'
  | 'math-shepherd'
  | 'rlhflow-prm'
  | 'two-labels'
  | 'judge'
  | 'skywork-reward'
  | 'rlhflow-orm';

/** An adapter in words. */
export interface AdapterText {
  readonly title: string;
  /** Whom it is for, and what the model must have, in a sentence or two. */
  readonly description: string;
}

const TWO_LABELS = { kind: 'labels', output: 'logits', positive: 1, width: 2 } as const;
const PLUS_OR_MINUS = { kind: 'tokens', output: 'logits', good: '+', bad: '-' } as const;

/** Problem and steps tokenised apart, each with a separator that is tokenised apart as well. */
function trl(separator: string): VerifierAdapter {
  return {
    reads: 'steps',
    layout: {
      joined: false,
      prompt: ['{problem}', separator],
      step: ['{step}', separator],
      between: [],
      probe: [],
    },
    head: TWO_LABELS,
    comparable: 'everywhere',
  };
}

/**
 * A conversation in which each turn of the person is a step, and the answer a verdict: the score stands where the
 * model is about to answer. Earlier steps are read as if they had been answered with "+", whatever their score: the
 * model was trained and published so.
 */
const TURNS: VerifierLayout = {
  joined: true,
  prompt: [],
  first: ['{chat:open}{problem} {step}{chat:reply}'],
  step: ['{step}{chat:reply}'],
  between: ['+{chat:next}'],
  probe: [],
};

/** Adapters by name. Their layouts follow the code that was published with the models. */
export const VERIFIER_ADAPTERS: Readonly<Record<AdapterName, VerifierAdapter>> = {
  'trl-newline': trl('\n'),
  'trl-blank-line': trl('\n\n'),
  'skywork-prm': {
    reads: 'steps',
    layout: {
      joined: false,
      prompt: ['{bos}{problem}\n'],
      step: ['{step}', '\n'],
      between: [],
      probe: [],
    },
    head: { kind: 'sigmoid', output: 'values' },
    comparable: 'everywhere',
  },
  // The published code puts a system message first ("Please reason step by step, …"). It is the default one of the
  // model's own chat template, so it is in {chat:open}.
  'qwen-prm': {
    reads: 'steps',
    layout: {
      joined: true,
      prompt: ['{chat:open}{problem}{chat:reply}'],
      step: ['{step}<extra_0>'],
      between: [],
      probe: [],
    },
    head: TWO_LABELS,
    comparable: 'everywhere',
  },
  'math-shepherd': {
    reads: 'steps',
    layout: {
      joined: true,
      prompt: ['{bos}{problem} '],
      step: ['Step {number}: {step} ки'],
      between: ['\n'],
      probe: [],
    },
    head: PLUS_OR_MINUS,
    comparable: 'everywhere',
  },
  'rlhflow-prm': { reads: 'steps', layout: TURNS, head: PLUS_OR_MINUS, comparable: 'everywhere' },
  'two-labels': {
    reads: 'steps',
    layout: TURNS,
    head: { kind: 'labels', output: 'logits', positive: 0, width: 2 },
    comparable: 'everywhere',
  },
  judge: {
    reads: 'steps',
    layout: {
      joined: true,
      prompt: [
        '{chat:open}You are given a problem and the steps of a solution so far. Say whether the last step is correct.\n\nProblem: {problem}\n\nSteps:',
      ],
      step: ['\n{number}. {step}'],
      between: [],
      probe: [
        '\n\nIs step {number} correct, given the problem and the steps before it? Answer Yes or No.{chat:reply}',
      ],
    },
    head: { kind: 'tokens', output: 'logits', good: 'Yes', bad: 'No' },
    comparable: 'everywhere',
  },
  'skywork-reward': {
    reads: 'solution',
    layout: {
      joined: true,
      prompt: ['{chat:open}{problem}{chat:answer}'],
      step: ['{step}'],
      between: ['\n'],
      probe: ['{chat:end}'],
    },
    head: { kind: 'sigmoid', output: 'logits' },
    comparable: 'within-problem',
  },
  'rlhflow-orm': {
    reads: 'solution',
    layout: {
      joined: true,
      prompt: ['{chat:open}{problem} '],
      step: ['{step}'],
      between: ['\n'],
      probe: ['{chat:reply}'],
    },
    head: PLUS_OR_MINUS,
    comparable: 'everywhere',
  },
};

/** The adapters in words, in the order in which they are offered. */
export const ADAPTER_TEXTS: Readonly<Record<AdapterName, AdapterText>> = {
  judge: {
    title: 'Chat model as judge',
    description:
      'Any instruct model is asked after each step whether it is correct; “Yes” and “No” must be single tokens. Judges worse than a trained PRM.',
  },
  'skywork-prm': {
    title: 'Skywork PRM (value head)',
    description:
      'One value after the newline of each step, without a chat template; the output is called “values”, as our converter writes it. For Skywork-o1-Open-PRM.',
  },
  'trl-newline': {
    title: 'TRL PRM, newline',
    description:
      'Two labels per token, read at the newline after each step. For token classifiers that TRL trained with “\\n” as separator.',
  },
  'trl-blank-line': {
    title: 'TRL PRM, blank line',
    description:
      'Two labels per token, read at the blank line after each step. For token classifiers that TRL trained with “\\n\\n” as separator.',
  },
  'qwen-prm': {
    title: 'Qwen PRM',
    description:
      'Two labels, read at the token <extra_0> after each step; the tokenizer must have it, and a chat template. For Qwen2.5-Math-PRM.',
  },
  'math-shepherd': {
    title: 'Math-Shepherd PRM',
    description:
      'The tag “ки” after each numbered step, where “+” stands against “-”; both must be single tokens (648 and 387 in the published tokenizer). For math-shepherd-mistral-7b-prm.',
  },
  'rlhflow-prm': {
    title: 'RLHFlow PRM',
    description:
      'A chat model that answers each step with “+” or “-”, which must be single tokens; earlier steps are read as answered with “+”. For Llama3.1-8B-PRM-Deepseek-Data.',
  },
  'two-labels': {
    title: 'RLHFlow PRM, converted to two labels',
    description:
      'As the RLHFlow PRM, with a graph that gives two labels in place of the vocabulary, the positive first, as our converter writes it.',
  },
  'skywork-reward': {
    title: 'Reward model for whole answers (Skywork-Reward)',
    description:
      'One number for a whole conversation; comparable within one problem only. Needs a chat template. For Skywork-Reward-V2 and other preference models.',
  },
  'rlhflow-orm': {
    title: 'RLHFlow ORM',
    description:
      'A chat model that answers a whole solution with “+” or “-”, which must be single tokens. For Llama3.1-8B-ORM-Deepseek-Data.',
  },
};
