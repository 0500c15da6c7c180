import type { VerifierAdapter } from './verifier.ts';

/** A way of reading that published verifiers share. */
export interface NamedAdapter {
  readonly title: string;
  /** Whom it is for, and what the model must have, in a sentence. */
  readonly description: string;
  readonly adapter: VerifierAdapter;
}

const NO_PIECES: readonly string[] = [];
const TWO_LABELS = { kind: 'labels', output: 'logits', positive: 1, width: 2 } as const;
const PLUS_OR_MINUS = { kind: 'tokens', output: 'logits', good: '+', bad: '-' } as const;

/** Problem and steps tokenised apart, each with a separator, as TRL's `PRMTrainer` does. */
function trl(separator: string): VerifierAdapter {
  return {
    reads: 'steps',
    layout: {
      joined: false,
      prompt: ['{problem}', separator],
      step: ['{step}', separator],
      between: NO_PIECES,
      probe: NO_PIECES,
    },
    head: TWO_LABELS,
    comparable: 'everywhere',
  };
}

/** The steps of a conversation in which a person gives one step a turn, and the model answers with a verdict. */
const RLHFLOW_TURNS = {
  joined: true,
  prompt: NO_PIECES,
  first: ['{chat:open}{problem} {step}{chat:reply}'],
  step: ['{step}{chat:reply}'],
} as const;

/** Ways of reading by name. Layouts follow the code that was published with the models. */
export const VERIFIER_ADAPTERS = {
  'trl-newline': {
    title: 'TRL, newline',
    description:
      'Token classification with two labels, a newline after the problem and each step, such as plaguss/Qwen2.5-0.5B-Math-Shepherd-PRM-0.2.',
    adapter: trl('\n'),
  },
  'trl-blank-line': {
    title: 'TRL, blank line',
    description:
      'Token classification with two labels, a blank line after the problem and each step, such as HuggingFaceH4/Qwen2.5-Math-1.5B-Instruct-PRM-0.2.',
    adapter: trl('\n\n'),
  },
  'skywork-prm': {
    title: 'Skywork PRM',
    description:
      'A value head read at the newline after each step, such as Skywork/Skywork-o1-Open-PRM-Qwen-2.5-1.5B, converted: its output is called “values”.',
    adapter: {
      reads: 'steps',
      layout: {
        joined: false,
        prompt: ['{bos}{problem}\n'],
        step: ['{step}', '\n'],
        between: NO_PIECES,
        probe: NO_PIECES,
      },
      head: { kind: 'sigmoid', output: 'values' },
      comparable: 'everywhere',
    },
  },
  'qwen-prm': {
    title: 'Qwen PRM',
    description:
      'Two labels at the token <extra_0> after each step, in a conversation, such as Qwen/Qwen2.5-Math-PRM-7B.',
    adapter: {
      reads: 'steps',
      layout: {
        joined: true,
        prompt: ['{chat:open}{problem}{chat:reply}'],
        step: ['{step}<extra_0>'],
        between: NO_PIECES,
        probe: NO_PIECES,
      },
      head: TWO_LABELS,
      comparable: 'everywhere',
    },
  },
  'math-shepherd': {
    title: 'Math-Shepherd',
    description:
      'A causal model that says + or - at the tag “ки” after each step; both must be single tokens, as in peiyi9979/math-shepherd-mistral-7b-prm.',
    adapter: {
      reads: 'steps',
      layout: {
        joined: true,
        prompt: ['{bos}{problem} '],
        step: ['Step {number}: {step} ки'],
        between: ['\n'],
        probe: NO_PIECES,
      },
      head: PLUS_OR_MINUS,
      comparable: 'everywhere',
    },
  },
  'rlhflow-prm': {
    title: 'RLHFlow PRM',
    description:
      'A chat model that answers each step with + or -, such as RLHFlow/Llama3.1-8B-PRM-Deepseek-Data. Earlier steps are read as answered with +.',
    adapter: {
      reads: 'steps',
      layout: { ...RLHFLOW_TURNS, between: ['+{chat:next}'], probe: NO_PIECES },
      head: PLUS_OR_MINUS,
      comparable: 'everywhere',
    },
  },
  judge: {
    title: 'Any chat model as judge',
    description:
      'An instruct model is asked after each step whether it is right; P(Yes) against P(No) is the reward. Works with every generator here, and judges worse than a trained PRM.',
    adapter: {
      reads: 'steps',
      layout: {
        joined: true,
        prompt: [
          '{chat:open}Here is a mathematics problem and the beginning of a solution.\n\nProblem: {problem}\n\nSolution:',
        ],
        step: ['\n{number}. {step}'],
        between: NO_PIECES,
        probe: [
          '\n\nIs step {number} correct, given the problem and the steps before it? Answer with Yes or No only.{chat:reply}',
        ],
      },
      head: { kind: 'tokens', output: 'logits', good: 'Yes', bad: 'No' },
      comparable: 'everywhere',
    },
  },
  'skywork-reward': {
    title: 'Preference model',
    description:
      'Sequence classification with one logit over a whole conversation, such as Skywork/Skywork-Reward-V2-Qwen3-0.6B. Its scores compare solutions of one problem only.',
    adapter: {
      reads: 'solution',
      layout: {
        joined: true,
        prompt: ['{chat:open}{problem}{chat:reply}'],
        step: ['{step}'],
        between: ['\n'],
        probe: ['{chat:end}'],
      },
      head: { kind: 'sigmoid', output: 'logits' },
      comparable: 'within-problem',
    },
  },
  'rlhflow-orm': {
    title: 'RLHFlow ORM',
    description:
      'A chat model that answers a whole solution with + or -, such as RLHFlow/Llama3.1-8B-ORM-Deepseek-Data.',
    adapter: {
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
  },
} as const satisfies Readonly<Record<string, NamedAdapter>>;

export type AdapterName = keyof typeof VERIFIER_ADAPTERS;
