/** Names of a graph's inputs and outputs. */
export interface GraphNames {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
}

/** Inputs that every graph may declare; the others are the cache's. */
const KNOWN_INPUTS = ['input_ids', 'attention_mask', 'position_ids', 'num_logits_to_keep'];

/**
 * Says what a graph lacks that decoding needs, in words that say what to do, or `null` if it has everything. A graph
 * whose cache does not come out again would compute on, and wrongly, so this is seen before the first pass.
 */
export function checkGraph(
  { inputNames, outputNames }: GraphNames,
  rewardOutput: string | null,
): string | null {
  const advice = 'Build the models again.';
  const lacks = (what: string): string => `The model's graph lacks the ${what}. ${advice}`;
  if (!inputNames.includes('input_ids')) return lacks('input "input_ids"');
  for (const output of ['logits', ...(rewardOutput === null ? [] : [rewardOutput])])
    if (!outputNames.includes(output)) return lacks(`output "${output}"`);
  const past = inputNames.filter((name) => name.startsWith('past_key_values.'));
  if (past.length === 0) return lacks('inputs for its cache ("past_key_values.…")');
  for (const name of past) {
    const present = name.replace('past_key_values.', 'present.');
    if (!outputNames.includes(present)) return lacks(`output "${present}"`);
  }
  const unknown = inputNames.find((name) => !KNOWN_INPUTS.includes(name) && !past.includes(name));
  return unknown === undefined
    ? null
    : `The model's graph asks for an input that is not known: "${unknown}". ${advice}`;
}

/** As `checkGraph`, for a verifier: its scores are all that it must give, and it may do without a cache. */
export function checkVerifierGraph({ inputNames, outputNames }: GraphNames, output: string): string | null {
  const advice = 'Choose the adapter that fits this model, or convert the model again.';
  if (!inputNames.includes('input_ids')) return `The verifier's graph lacks the input "input_ids". ${advice}`;
  if (!outputNames.includes(output))
    return `The verifier's graph has no output "${output}"; it has ${outputNames.filter((name) => !name.startsWith('present.')).join(', ')}. ${advice}`;
  const past = inputNames.filter((name) => name.startsWith('past_key_values.'));
  for (const name of past) {
    const present = name.replace('past_key_values.', 'present.');
    if (!outputNames.includes(present))
      return `The verifier's graph lacks the output "${present}". ${advice}`;
  }
  const unknown = inputNames.find((name) => !KNOWN_INPUTS.includes(name) && !past.includes(name));
  return unknown === undefined
    ? null
    : `The verifier's graph asks for an input that is not known: "${unknown}". ${advice}`;
}
