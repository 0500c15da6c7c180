import {
  FIRST_MODEL,
  modelKey,
  sameChoice,
  siteModel,
  type ModelChoice,
  type ModelRef,
  type PinnedModel,
} from '../../domain/model-choice.ts';
import { RECIPE_VERSION, readSavedModels } from '../../formats/model-recipe.ts';
import type { PageSession } from '../state/playground.svelte.ts';

const KEY = 'steplight-models';
const BUNDLED = siteModel(FIRST_MODEL);

/** A role in a run. */
export type Role = keyof ModelChoice;

/** Models that the person added, and which of all are in use. Kept in this browser where it allows it. */
export class OwnModels {
  models: readonly PinnedModel[] = $state.raw([]);
  readonly #session: PageSession;
  /** Whether what was saved is known here, and may be replaced. */
  #restored = false;

  constructor(session: PageSession) {
    this.#session = session;
  }

  /**
   * Brings back what was saved: the models that were added, and the last choice, as far as the site's models in it are
   * still stored here.
   */
  async restore(): Promise<void> {
    this.#restored = true;
    const saved = readSaved();
    if (saved === null) return;
    this.models = saved.models;
    if (saved.choice === null) return;
    const session = this.#session;
    const before = session.choice;
    const choice = needsLook(saved.choice) ? await session.withoutDownload(saved.choice) : saved.choice;
    // Whatever the person did meanwhile counts.
    if (session.choice === before && !session.busy && !sameChoice(choice, before))
      await session.choose(choice);
  }

  /** What can have a role, the bundled models first. */
  fitting(role: Role): readonly { readonly ref: ModelRef; readonly title: string }[] {
    const own = this.models.filter(({ recipe }) => canBe(recipe, role));
    const bundled = this.#session.bundled.filter(({ roles }) => roles.includes(role));
    return [
      ...(bundled.length === 0
        ? [{ ref: BUNDLED.generator, title: 'Bundled' }]
        : bundled.map(({ id, name }) => ({ ref: siteModel(id).generator, title: name }))),
      ...own.map((model) => ({ ref: refOf(model), title: model.recipe.title })),
    ];
  }

  /** Gives all roles to a bundled model. */
  async chooseTier(id: string): Promise<void> {
    await this.#use(siteModel(id));
  }

  /** Adds a model, in place of an older version of it, and uses it for what it can do that was asked. */
  async add(model: PinnedModel, roles: readonly Role[]): Promise<void> {
    const same = (other: PinnedModel): boolean => other.recipe.id === model.recipe.id;
    this.models = [...this.models.filter((other) => !same(other)), model];
    const next: Record<Role, ModelRef | null> = { ...this.#session.choice };
    for (const role of roles) if (canBe(model.recipe, role)) next[role] = refOf(model);
    // What was chosen of an older version would no longer be in the list.
    for (const role of ['generator', 'prm', 'orm'] as const) {
      const chosen = next[role];
      if (chosen?.from === 'elsewhere' && same(chosen.model)) next[role] = refOf(model);
    }
    await this.#use({ ...next, generator: next.generator ?? BUNDLED.generator });
  }

  /** Forgets a model; its files are deleted by the storage table. */
  async remove(model: PinnedModel): Promise<void> {
    this.models = this.models.filter((other) => other !== model);
    const key = modelKey(refOf(model));
    const { generator, prm, orm } = this.#session.choice;
    const isGone = (ref: ModelRef | null): boolean => ref !== null && modelKey(ref) === key;
    await this.#use({
      generator: isGone(generator) ? BUNDLED.generator : generator,
      prm: isGone(prm) ? BUNDLED.prm : prm,
      orm: isGone(orm) ? BUNDLED.orm : orm,
    });
  }

  /** Gives a role to a model, by its key; an empty key is none. */
  async choose(role: Role, key: string): Promise<void> {
    const ref = this.fitting(role).find((each) => modelKey(each.ref) === key)?.ref ?? null;
    const { choice } = this.#session;
    await this.#use(
      role === 'generator' ? { ...choice, generator: ref ?? choice.generator } : { ...choice, [role]: ref },
    );
  }

  async #use(choice: ModelChoice): Promise<void> {
    await this.#session.choose(choice);
    if (!this.#restored) return;
    // What is in use: a choice is refused while a run is under way.
    save({ version: RECIPE_VERSION, models: this.models, choice: this.#session.choice });
  }
}

/** Whether a choice holds a model of the site that may have to be fetched. */
function needsLook({ generator, prm, orm }: ModelChoice): boolean {
  return [generator, prm, orm].some((ref) => ref?.from === 'site' && ref.id !== FIRST_MODEL);
}

function refOf(model: PinnedModel): ModelRef {
  return { from: 'elsewhere', model };
}

/** Whether a model can have a role. */
export function canBe({ generator, verifier }: PinnedModel['recipe'], role: Role): boolean {
  if (role === 'generator') return generator !== null;
  return verifier?.reads === (role === 'prm' ? 'steps' : 'solution');
}

function readSaved() {
  try {
    const text = localStorage.getItem(KEY);
    if (text === null) return null;
    const saved = readSavedModels(JSON.parse(text));
    return saved.ok ? saved.value : null;
  } catch {
    // Storage is denied, or somebody else wrote there.
    return null;
  }
}

function save(value: object): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(value));
  } catch {
    // Full or denied: the choice holds until the page is left.
  }
}
