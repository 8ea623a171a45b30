import type { Log } from '#base/log.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Effect, RightsCode, Steering } from '#core/automation-run/engine.ts';
import type { Cause } from '#core/command/cause.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { Notifications } from '#core/notification/notifications.ts';
import { HOUSEHOLD } from '#core/notification/notification.ts';
import type { UserId } from '#core/person/user.ts';
import type { CivilTime } from '#automations/civil-time.ts';
import type { Alarms } from './alarms.ts';
import type { ActingSigner, EngineAutomations, FindSigner, LanRequest, StepRight } from './engine-ports.ts';
import type { EngineClock } from './engine-clock.ts';
import type { LiveHome } from './live-view.ts';
import { renderNotice } from './notice-text.ts';

export type ActEffect = Extract<
  Effect,
  { kind: 'notify' | 'request' | 'set_mode' | 'set_variable' | 'note_presence' | 'enable' | 'disable' }
>;

/** What automations do beside commands. */
export type HomeActs = {
  readonly act: (effect: ActEffect) => void;
  /** What an event came from that does not say so itself: the automation that made it happen. */
  readonly causeOf: (event: HomeEvent) => Cause | null;
  /** Ends what is under way. */
  readonly stop: () => void;
};

export type HomeActsDeps = {
  readonly home: LiveHome;
  readonly clock: Pick<EngineClock, 'hubMs' | 'guessMs'>;
  readonly civil: Pick<CivilTime, 'next' | 'moment'>;
  readonly automations: Pick<EngineAutomations, 'suspend' | 'setEnabled'>;
  readonly notifications: Pick<Notifications, 'say' | 'resolve'>;
  readonly alarms: Pick<Alarms, 'suspended'>;
  readonly findSigner: FindSigner;
  readonly send: (request: LanRequest, signal: AbortSignal) => Promise<Sent>;
  readonly onRequestEnded: (ref: string, error: string | null) => void;
  readonly log: Log;
};

/**
 * `error`: in the hub's own words, `null` where the receiver took it; each reader of the trace sees it. `detail` is for the
 * log alone: it may say which ports of a machine are open.
 */
type Sent = { readonly error: string | null; readonly detail?: string };

/** So many requests wait for their answers at once; the receivers may be slow, and ten seconds are long. */
const MAX_REQUESTS = 50;

type Caused = Pick<ActEffect, 'cause'>;

/** Of what was asked for and has not happened yet, in its order: the changes of one subject come one by one. */
function createCauses() {
  const waiting = new Map<string, readonly Caused[]>();
  const listOf = (subject: string): readonly Caused[] => waiting.get(subject) ?? [];
  return {
    of: (subject: string): Cause | null => listOf(subject)[0]?.cause ?? null,
    add: (subject: string, effect: Caused): void => void waiting.set(subject, [...listOf(subject), effect]),
    remove: (subject: string, effect: Caused): void => {
      const others = listOf(subject).filter((one) => one !== effect);
      if (others.length === 0) waiting.delete(subject);
      else waiting.set(subject, others);
    },
  };
}

export function createHomeActs(deps: HomeActsDeps): HomeActs {
  const { home, log, findSigner, automations } = deps;
  const causes = createCauses();
  const ending = new AbortController();
  let requests = 0;

  const attempt = (effect: ActEffect, work: Promise<unknown>, subject?: string): void => {
    const { automation, pointer } = effect;
    if (subject !== undefined) causes.add(subject, effect);
    work
      .catch((cause: unknown) => log.warn('a step of an automation failed', { automation, step: pointer, cause }))
      // Its event came before, if there was anything to change.
      .finally(() => subject === undefined || causes.remove(subject, effect));
  };
  const request = (effect: Extract<ActEffect, { kind: 'request' }>, { isOwner }: ActingSigner): void => {
    const { ref, step, json } = effect;
    const ended = ({ error, detail }: Sent): void => {
      const fields = { automation: effect.automation, error: detail ?? error };
      if (error !== null) log[ref === null ? 'warn' : 'debug']('a request of an automation failed', fields);
      if (ref !== null) deps.onRequestEnded(ref, error);
    };
    if (requests >= MAX_REQUESTS) return ended({ error: 'too many requests are under way' });
    const body = step.method === 'GET' ? null : Buffer.from(JSON.stringify(json));
    requests += 1;
    const sent = deps.send({ method: step.method, url: step.url, body, mayReachHub: isOwner }, ending.signal);
    const isBug = (cause: unknown): void => {
      ended({ error: 'it could not be sent' });
      throw cause;
    };
    const work = sent.then(ended, isBug);
    attempt(
      effect,
      work.finally(() => {
        requests -= 1;
      }),
    );
  };

  const doIt = (effect: ActEffect, signer: ActingSigner): void => {
    const { issuer } = signer;
    switch (effect.kind) {
      case 'notify':
        return notify(effect, deps);
      case 'request':
        return request(effect, signer);
      case 'set_mode': {
        const wish = { value: effect.value, by: issuer, forMs: lengthMs(effect, deps), next: undefined };
        return attempt(effect, home.modes.setMode(effect.mode, wish), `mode ${effect.mode}`);
      }
      case 'set_variable': {
        const { variable, value } = effect;
        return attempt(effect, home.variables.setVariable(variable, { value, by: issuer }), `variable ${variable}`);
      }
      case 'note_presence': {
        const { person, state } = effect;
        return attempt(effect, home.presence.tell(person as UserId, state), `person ${person}`);
      }
      case 'enable':
      case 'disable':
        return attempt(effect, automations.setEnabled(effect.target, effect.kind === 'enable'));
    }
  };
  const refuse = (effect: ActEffect, code: RightsCode): void => {
    const { automation } = effect;
    deps.alarms.suspended(automation, code);
    if ('ref' in effect && effect.ref !== null) deps.onRequestEnded(effect.ref, code);
    attempt(effect, automations.suspend(automation, code));
  };
  return {
    act: (effect) => {
      const signer = findSigner(effect.automation);
      const code = actRefusal(effect, signer);
      if (signer !== undefined && code === null) return doIt(effect, signer);
      if (code !== null) refuse(effect, code);
    },
    causeOf: (event) => causes.of(subjectOf(event) ?? ''),
    stop: () => ending.abort(),
  };
}

/** Why a step would not be done; `null` where the signer may do it at this moment. */
export function actRefusal(effect: ActEffect, signer: ActingSigner | undefined): RightsCode | null {
  if (signer === undefined) return 'SIGNER_GONE';
  return signer.may(rightFor(effect, signer)) ? null : 'RIGHTS_MISSING';
}

/** The same for one that runs, enables or stops another automation: who may not open a door may not have one opened. */
export function steerRefusal(
  signer: ActingSigner | undefined,
  { step, opens }: { readonly step: Steering; readonly opens: (id: AutomationId) => boolean },
): RightsCode | null {
  if (signer === undefined) return 'SIGNER_GONE';
  const isOpening = step.do !== 'stop' && opens(step.automation);
  const may = signer.may('automation:run') && (!isOpening || signer.may('device:control_sensitive'));
  return may ? null : 'RIGHTS_MISSING';
}

const RIGHTS = {
  notify: 'notification:manage',
  request: 'hub:manage',
  set_mode: 'mode:set',
  set_variable: 'mode:set',
  note_presence: 'user:manage',
  enable: 'automation:run',
  disable: 'automation:run',
} as const satisfies Record<ActEffect['kind'], StepRight>;

function rightFor(effect: ActEffect, { issuer }: ActingSigner): StepRight {
  const isOwnWord = effect.kind === 'note_presence' && effect.person === issuer.userId;
  return isOwnWord ? 'presence:tell' : RIGHTS[effect.kind];
}

function subjectOf(event: HomeEvent): string | undefined {
  if (event.type === 'mode.changed') return `mode ${event.mode.key}`;
  if (event.type === 'variable.changed') return `variable ${event.variable.key}`;
  return event.type === 'presence.changed' ? `person ${event.user.id}` : undefined;
}

type Timed = Pick<Extract<ActEffect, { kind: 'set_mode' }>, 'forS' | 'until'>;

/** `null`: it holds until another value is set. */
function lengthMs({ forS, until }: Timed, { civil, clock }: Pick<HomeActsDeps, 'civil' | 'clock'>): number | null {
  if (forS !== null) return forS * 1_000;
  if (until === null) return null;
  const nowMs = clock.guessMs();
  const endMs = civil.next({ type: 'clock', at: until }, nowMs);
  return endMs === undefined ? null : endMs - nowMs;
}

function notify(effect: Extract<ActEffect, { kind: 'notify' }>, deps: HomeActsDeps): void {
  const { automation, step, trigger } = effect;
  deps.notifications.say({
    severity: step.severity,
    ...renderNotice(effect, deps),
    to: step.to ?? HOUSEHOLD,
    key: step.key ?? null,
    deviceId: trigger.device,
    source: { kind: 'automation', id: automation },
    repeatS: step.repeat_s ?? null,
  });
  if (step.resolve_key === undefined) return;
  deps.notifications.resolve(step.resolve_key).catch((cause: unknown) => {
    deps.log.warn('a notification cannot be closed', { automation, cause });
  });
}
