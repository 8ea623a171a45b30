import { HubError, requireThing } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import type { Runtime } from '#base/time/runtime.ts';
import { waitMs } from '#base/time/timer.ts';
import type { Discovery } from '#core/integration/instance.ts';
import { checkFields, defaultOf, missingFields, type SettingsRules } from '#core/integration/settings-check.ts';
import type { SettingsShape } from '#core/integration/settings-shape.ts';
import { type Setup, type SetupAnswer, SetupFailure } from '#core/integration/setup-step.ts';
import type { IntegrationKind, SetupResult } from './kind.ts';
import type { SetupPorts } from './ports.ts';
import { type CheckForm, type Conversation, type SetupRun, type SetupRunDeps, startSetupRun } from './setup-run.ts';

/** Who begins a set-up. Both functions answer for this moment. */
export type SetupPerson = {
  readonly userId: string;
  /** Throws once the person may not do this any more. */
  readonly authorize: () => void;
  /** Whether the person may name an address of the hub itself. */
  readonly mayReachHub: () => boolean;
  /** Called once the instance is on disk. */
  readonly onKept: (outcome: Kept) => Promise<void>;
  /** Called once the instance is gone again. */
  readonly onTakenBack: (instance: string) => Promise<void>;
};
type Kept = { readonly instance: string; readonly isRenewal: boolean };

type SetupsDeps = Pick<Runtime, 'clock' | 'startTimer' | 'log'> & {
  readonly findKind: (id: string) => IntegrationKind | undefined;
  /** A kind that may have only one instance has it, or something else speaks against a new one. Throws HubError. */
  readonly refuseStart: (kind: IntegrationKind) => void;
  readonly findDiscovery: (id: string) => { readonly kind: string; readonly discovery: Discovery } | undefined;
  readonly rules: Omit<SettingsRules, 'mayReachHub'>;
  readonly portsOf: (setup: {
    readonly kind: string;
    readonly signal: AbortSignal;
    readonly mayReachHub: () => boolean;
    /** What the person entered into forms, without secrets. */
    readonly entered: () => JsonObject;
  }) => SetupPorts;
  /** Makes an instance, or renews the one with this unique id: new settings, new secrets, `needs_action` cleared. */
  readonly keep: (
    kind: IntegrationKind,
    result: SetupResult,
    terms: { readonly authorize: () => void; readonly mayReachHub: boolean; readonly userId: string },
  ) => Promise<Kept>;
  readonly startedInstance: SetupRunDeps['startedInstance'];
  /** Removes an instance that has no device. False if it stays, because it has one. */
  readonly takeBack: (instance: string) => Promise<boolean>;
  readonly onChange: (setup: Setup) => void;
  readonly newId: () => string;
};

type StartedSetup = { readonly setup: Setup; readonly userId: string };

/** The conversations that lead to instances. Nothing of them is stored: a restart of the hub ends them. */
export type Setups = ReturnType<typeof createSetups>;
type SetupSubject = { readonly kind: string } | { readonly thing: string };

const MAX_RUNNING = 8;
/** Ended ones that can still be read. */
const MAX_ENDED = 24;
const LIFETIME_MS = 15 * 60_000;
/** How long a call waits for the next step, so that most callers need not ask again. */
const STEP_WAIT_MS = 2_000;
const STOP_MS = 2_000;
const STARTED_AGAIN = new SetupFailure('started_again', 'The set-up was started again.');
const ENDED = new SetupFailure('ended', 'The set-up was ended.');

type Known = {
  readonly id: string;
  readonly kind: string;
  readonly person: SetupPerson;
  readonly run: SetupRun;
};

export function createSetups(deps: SetupsDeps) {
  const known = new Map<string, Known>();
  const running = (): readonly Known[] => [...known.values()].filter(({ run }) => run.state().status === 'running');

  const shown = ({ id, kind, person, run }: Known): StartedSetup => ({
    setup: { id, kind, ...run.state() },
    userId: person.userId,
  });
  const findOrRefuse = (id: string): Known => {
    return requireThing(known.get(id), 'set-up');
  };
  const forgetOldest = (): void => {
    const ended = [...known.values()].filter(({ run }) => run.state().status !== 'running');
    for (const { id } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) known.delete(id);
  };
  const begin = (kind: IntegrationKind, found: Discovery | undefined, person: SetupPerson): Known => {
    const begun = beginSetup(deps, { kind, found, person }, () => {
      if (known.has(begun.id)) deps.onChange(shown(begun).setup);
    });
    known.set(begun.id, begun);
    forgetOldest();
    return begun;
  };

  const reviewRights = (): void => {
    for (const { person, run } of running()) {
      try {
        person.authorize();
      } catch (cause) {
        if (!(cause instanceof HubError)) throw cause;
        void run.end(new SetupFailure('forbidden', 'The right to set it up was taken away.'));
      }
    }
  };

  return {
    /**
     * Begins one and waits a moment for its first step. Ends the one that the person has for this kind, and their oldest
     * where no more can run: they left it. Throws HubError NOT_FOUND, LIMIT_REACHED and what `authorize` throws.
     */
    start: async (wanted: SetupSubject, person: SetupPerson): Promise<StartedSetup> => {
      const { kind, discovery } = subjectOf(wanted, deps);
      deps.refuseStart(kind);
      for (;;) {
        const own = inTheWay(running(), kind.id, person.userId);
        if (own === undefined) break;
        await own.run.end(own.kind === kind.id ? STARTED_AGAIN : ENDED);
        person.authorize();
      }
      if (running().length >= MAX_RUNNING) {
        throw new HubError('LIMIT_REACHED', `At most ${MAX_RUNNING} set-ups can run at the same time.`);
      }
      const begun = begin(kind, discovery, person);
      await begun.run.settled(STEP_WAIT_MS);
      return shown(begun);
    },
    findSetup: (id: string): StartedSetup | undefined => {
      const found = known.get(id);
      return found && shown(found);
    },
    /** Waits a moment for the next step. Throws HubError NOT_FOUND, SETUP_NOT_WAITING and VALIDATION_FAILED. */
    answer: async (id: string, answer: SetupAnswer): Promise<StartedSetup> => {
      const found = findOrRefuse(id);
      reviewRights();
      found.run.answer(answer);
      await found.run.settled(STEP_WAIT_MS);
      return shown(found);
    },
    /** Resolves once nothing of it is left. Throws HubError NOT_FOUND. */
    end: async (id: string): Promise<void> => {
      const { run } = findOrRefuse(id);
      await run.end(ENDED);
      known.delete(id);
    },
    /** Ends the set-ups of all who lost the right to them. */
    reviewRights,
    stop: async (): Promise<void> => {
      const ends = running().map(({ run }) => run.end(new SetupFailure('ended', 'The hub stops.')));
      const late = new AbortController();
      await Promise.race([Promise.all(ends), waitMs(STOP_MS, deps.startTimer, late.signal)]);
      late.abort();
    },
  };
}

/** The set-up of a person that a new one ends: that of its kind; where no more can run, their oldest. */
function inTheWay(running: readonly Known[], kind: string, userId: string): Known | undefined {
  const own = running.filter(({ person }) => person.userId === userId);
  return own.find((one) => one.kind === kind) ?? (running.length < MAX_RUNNING ? undefined : own[0]);
}

function beginSetup(
  deps: SetupsDeps,
  { kind, found, person }: { kind: IntegrationKind; found: Discovery | undefined; person: SetupPerson },
  onChange: () => void,
): Known {
  const { clock, startTimer, log } = deps;
  const { mayReachHub } = person;
  // The instance is there, or gone: that did not fail, whatever happens to the note about it.
  const note = (noted: Promise<void>): Promise<void> =>
    noted.catch((cause: unknown) => log.error('a set-up is not in the audit log', { cause }));
  let entered: JsonObject = {};
  const run: SetupRun = startSetupRun({
    open: (signal) => {
      const ports = deps.portsOf({ kind: kind.id, signal, mayReachHub, entered: () => entered });
      return openConversation(kind, found, ports);
    },
    checkForm: (fields, answer) => {
      const checked = checkForm(fields, answer, { ...deps.rules, mayReachHub: mayReachHub() });
      if ('values' in checked) entered = { ...entered, ...withoutSecrets(fields, checked.values) };
      return checked;
    },
    authorize: person.authorize,
    keep: async (result, authorize) => {
      const kept = await deps.keep(kind, result, { authorize, mayReachHub: mayReachHub(), userId: person.userId });
      await note(person.onKept(kept));
      return kept;
    },
    startedInstance: deps.startedInstance,
    takeBack: async (instance) => {
      const isGone = await deps.takeBack(instance);
      if (isGone) await note(person.onTakenBack(instance));
      return isGone;
    },
    onChange: () => {
      if (run.state().status !== 'running') stopLifetime();
      onChange();
    },
    clock,
    startTimer,
    log,
  });
  const stopLifetime = startTimer(LIFETIME_MS, () => {
    void run.end(new SetupFailure('timed_out', 'Nobody finished the set-up within 15 minutes.'));
  });
  return { id: deps.newId(), kind: kind.id, person, run };
}

/** Each field gets its value, its default or `null`. Pointers lead into the answer. */
function checkForm(fields: SettingsShape, answer: JsonObject, rules: SettingsRules): ReturnType<CheckForm> {
  const { values, secrets, errors } = checkFields(fields, answer, { rules, pointer: '' });
  const wrong = new Set(errors.map(({ pointer }) => pointer));
  const missing = missingFields(fields, values, { hasSecret: (key) => typeof secrets[key] === 'string', pointer: '' });
  const all = [...errors, ...missing.filter(({ pointer }) => !wrong.has(pointer))];
  if (all.length > 0) return { errors: all };
  const given = Object.entries(fields).map(([key, field]) => {
    return [key, field.type === 'secret' ? (secrets[key] ?? null) : (values[key] ?? defaultOf(field))] as const;
  });
  return { values: Object.fromEntries(given) };
}

function withoutSecrets(fields: SettingsShape, values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([key]) => fields[key]?.type !== 'secret'));
}

function subjectOf(
  wanted: SetupSubject,
  { findKind, findDiscovery }: Pick<SetupsDeps, 'findKind' | 'findDiscovery'>,
): { readonly kind: IntegrationKind; readonly discovery: Discovery | undefined } {
  const thing = 'thing' in wanted ? findDiscovery(wanted.thing) : undefined;
  if ('thing' in wanted && thing === undefined) throw new HubError('NOT_FOUND', 'There is no such found thing.');
  const kind = requireThing(findKind('kind' in wanted ? wanted.kind : (thing?.kind ?? '')), 'kind of integration');
  return { kind, discovery: thing?.discovery };
}

async function openConversation(
  kind: IntegrationKind,
  discovery: Discovery | undefined,
  ports: SetupPorts,
): Promise<Conversation> {
  const { setUp = (): Conversation => askForSettings(kind, discovery) } = await kind.load();
  return setUp(discovery, ports);
}

/** The set-up of a kind without one of its own: a form of its settings. */
async function* askForSettings(kind: IntegrationKind, found: Discovery | undefined): Conversation {
  const { without = [], values: proposed = {} } = kind.firstForm ?? {};
  const asked = Object.entries(kind.settings).filter(([name]) => !without.includes(name));
  const fields: SettingsShape = Object.fromEntries(asked);
  const defaults = Object.entries(fields).flatMap(([name, field]) =>
    'default' in field ? [[name, field.default]] : [],
  );
  const values: JsonObject = { ...Object.fromEntries(defaults), ...proposed, ...found?.settings };
  const answer = yield { type: 'form', fields, values, errors: [] };
  const isSecret = (name: string): boolean => fields[name]?.type === 'secret';
  const given = Object.entries(answer);
  const secrets = given.flatMap(([name, value]) =>
    isSecret(name) && typeof value === 'string' ? [[name, value]] : [],
  );
  return {
    uniqueId: found?.uniqueId ?? null,
    name: found?.name ?? kind.name,
    settings: Object.fromEntries(given.filter(([name]) => !isSecret(name))) as SetupResult['settings'],
    secrets: Object.fromEntries(secrets) as SetupResult['secrets'],
  };
}
