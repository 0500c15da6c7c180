import {
  USUAL_DTYPES,
  type GeneratorAdapter,
  type ModelRecipe,
  type StepRule,
} from '../../domain/model-choice.ts';
import { VERIFIER_ADAPTERS, type AdapterName } from '../../domain/verifier-adapters.ts';
import type { RegistryEntry } from '../../formats/model-registry.ts';

/** How chat models are asked here. */
const PROMPTS: Readonly<Record<RegistryEntry['style'], string>> = {
  chat: '{chat:open}Solve the problem step by step. Write one short step per line, each with its calculation, without headings. End with a line “Answer: ” and the answer alone.\n\nProblem: {problem}{chat:reply}',
  // The instruction that these models were trained with.
  boxed:
    '{chat:open}{problem}\nPlease reason step by step, and put your final answer within \\boxed{}.{chat:reply}',
};

/** What a person decides about a model that nothing is known of. */
export interface AdapterForm {
  /** `null` if it does not write solutions. */
  readonly generator: { readonly style: RegistryEntry['style'] | 'plain'; readonly steps: StepRule } | null;
  /** `null` if it does not judge. */
  readonly verifier: AdapterName | null;
  readonly context: number;
}

/** A recommended model's recipe: it writes, and may be asked to judge. */
export function recipeOfEntry({ id, title, context, style, steps }: RegistryEntry): ModelRecipe {
  return {
    id,
    title,
    dtypes: USUAL_DTYPES,
    context,
    generator: { prompt: [PROMPTS[style]], steps },
    verifier: VERIFIER_ADAPTERS.judge,
    canary: null,
  };
}

/** The recipe of another model. */
export function recipeOfForm(id: string, { generator, verifier, context }: AdapterForm): ModelRecipe {
  return {
    id,
    title: id,
    dtypes: USUAL_DTYPES,
    context,
    generator: generator === null ? null : generatorOf(generator),
    verifier: verifier === null ? null : VERIFIER_ADAPTERS[verifier],
    canary: null,
  };
}

function generatorOf({ style, steps }: NonNullable<AdapterForm['generator']>): GeneratorAdapter {
  return { prompt: [style === 'plain' ? '{bos}{problem}\n' : PROMPTS[style]], steps };
}
