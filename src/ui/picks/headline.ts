import type { Pick, PickMethod } from '../../domain/pick.ts';
import type { Facts, Truth } from '../state/facts.ts';
import { METHOD_TEXTS } from './methods.ts';

/** Methods that chose the same answer. */
export interface Camp {
  readonly answer: string;
  readonly truth: Truth | null;
  readonly methods: readonly PickMethod[];
}

/** How the picks compare, as a remark and the camps they form. */
export interface Headline {
  /** A verdict in a few words, `null` where the camps say it all. */
  readonly remark: string | null;
  readonly camps: readonly Camp[];
}

export function headlineOf(facts: Facts): Headline {
  const camps = campsOf(facts);
  return { remark: remarkOn(camps), camps };
}

/** The methods by the answer they picked, in the order in which methods are shown. */
function campsOf({ picks, ballots, lanes }: Facts): Camp[] {
  const camps = new Map<number, Extract<Pick, { kind: 'picked' }>[]>();
  for (const pick of picks) {
    if (pick.kind !== 'picked') continue;
    const group = lanes[pick.lane]?.group ?? -1;
    camps.set(group, [...(camps.get(group) ?? []), pick]);
  }
  return [...camps].map(([group, members]) => ({
    answer: ballots[group]?.answer ?? members[0]!.answer,
    truth: ballots[group]?.truth ?? null,
    methods: members.map(({ method }) => method),
  }));
}

function remarkOn(camps: readonly Camp[]): string | null {
  const truthOf = (method: PickMethod): Truth | null =>
    camps.find(({ methods }) => methods.includes(method))?.truth ?? null;
  if (camps.length === 1 && camps[0]!.methods.length > 1) {
    if (camps[0]!.truth === 'wrong') return 'All are wrong together.';
    return null;
  }
  const prm = truthOf('prm');
  const others = camps.flatMap(({ methods }) => methods).filter((method) => method !== 'prm');
  const rightOnes = others.filter((method) => truthOf(method) === 'right');
  const wrongOnes = others.filter((method) => truthOf(method) === 'wrong');
  if (prm === 'wrong' && rightOnes.length > 0) return 'The PRM lost here.';
  if (prm === 'right' && wrongOnes.length > 0) {
    return wrongOnes.includes('majority') ? 'The steps beat the majority.' : 'The PRM won here.';
  }
  if (prm === 'wrong') return 'None is right.';
  return null;
}

/** "PRM", "PRM and ORM", "PRM, ORM and majority". */
export function methodList(methods: readonly PickMethod[]): string {
  const names = methods.map((method, i) => {
    const { short } = METHOD_TEXTS[method];
    return i > 0 && (method === 'majority' || method.endsWith('weighted')) ? short.toLowerCase() : short;
  });
  if (names.length < 2) return names[0] ?? '';
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** The headline as plain text, for a live region. */
export function headlineText({ remark, camps }: Headline): string {
  if (camps.length === 0) return 'No lane can be picked.';
  const parts =
    camps.length === 1
      ? [`All ways of picking agree on ${camps[0]!.answer}${truthText(camps[0]!.truth)}`]
      : camps.map(
          ({ methods, answer, truth }) =>
            `${methodList(methods)} ${methods.length === 1 ? 'picks' : 'pick'} ${answer}${truthText(truth)}`,
        );
  return `${remark === null ? '' : `${remark} `}${parts.join(', ')}.`;
}

function truthText(truth: Truth | null): string {
  if (truth === null) return '';
  return truth === 'unknown' ? ', which could not be checked' : `, which is ${truth}`;
}
