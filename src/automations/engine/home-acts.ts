import type { Log } from '#base/log.ts';
import type { Effect, RightsCode, RunView } from '#core/automation-run/engine.ts';
import type { Notifications } from '#core/notification/notifications.ts';
import { HOUSEHOLD, MAX_TEXT_LENGTH, MAX_TITLE_LENGTH } from '#core/notification/notification.ts';
import type { UserId } from '#core/person/user.ts';
import type { CivilTime } from '#automations/civil-time.ts';
import type { Alarms } from './alarms.ts';
import type { ActingSigner, EngineAutomations, FindSigner, LanRequest, MayCaller } from './engine-ports.ts';
import type { StepRight } from '#core/automation/check/step-rights.ts';
import type { EngineClock } from './engine-clock.ts';
import type { LiveHome } from './live-view.ts';
import type { JsonValue } from '#base/json.ts';
import { type Device, deviceName } from '#core/device/device.ts';
import { because, englishOf, type RunReason } from '#core/automation-run/trace/run-reason.ts';

export type ActEffect = Extract<
  Effect,
  { kind: 'notify' | 'request' | 'set_mode' | 'set_variable' | 'note_presence' | 'enable' | 'disable' }
>;

type RequestEffect = Extract<ActEffect, { kind: 'request' }>;

/** Does all that automations do beside commands. */
export type HomeActs = ReturnType<typeof createHomeActs>;

export type HomeActsDeps = {
  readonly home: LiveHome;
  readonly clock: Pick<EngineClock, 'hubMs' | 'guessMs'>;
  readonly civil: Pick<CivilTime, 'next' | 'moment'>;
  readonly automations: Pick<EngineAutomations, 'suspend' | 'setEnabled' | 'mayReachHub'>;
  readonly notifications: Pick<Notifications, 'say' | 'resolve'>;
  readonly alarms: Pick<Alarms, 'suspended'>;
  readonly findSigner: FindSigner;
  readonly steerRefusal: RunView['steerRefusal'];
  readonly send: (request: LanRequest, signal: AbortSignal) => Promise<Sent>;
  readonly onRequestEnded: (ref: string, error: RunReason | null) => void;
  readonly log: Log;
};

/**
 * `error`: in the hub's own words, `null` where the receiver took it; each reader of the trace sees it. `detail` is for the
 * log alone: it may say which ports of a machine are open.
 */
type Sent = { readonly error: RunReason | null; readonly detail?: string };

/** So many requests wait for their answers at once; the receivers may be slow, and ten seconds are long. */
const MAX_REQUESTS = 50;

export function createHomeActs(deps: HomeActsDeps) {
  const { home, log, findSigner, automations } = deps;
  const ending = new AbortController();
  let requests = 0;

  const attempt = ({ automation, pointer }: ActEffect, work: Promise<unknown>): void => {
    work.catch((cause: unknown) => log.warn('a step of an automation failed', { automation, step: pointer, cause }));
  };
  const request = (effect: RequestEffect): void => {
    const { ref, step, json } = effect;
    const { method, url } = step;
    const ended = ({ error, detail }: Sent): void => {
      const fields = { automation: effect.automation, error: detail ?? (error && englishOf(error)) };
      if (error !== null) log[ref === null ? 'warn' : 'debug']('a request of an automation failed', fields);
      if (ref !== null) deps.onRequestEnded(ref, error);
    };
    if (requests >= MAX_REQUESTS) return ended({ error: because('too_many_requests') });
    const body = method === 'GET' ? null : Buffer.from(JSON.stringify(json));
    requests += 1;
    const sent = mayReach(deps, effect).then((mayReachHub) =>
      deps.send({ method, url, body, mayReachHub }, ending.signal),
    );
    const isBug = (cause: unknown): void => {
      ended({ error: because('not_sent') });
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
    const { issuer: by } = signer;
    const { cause } = effect;
    switch (effect.kind) {
      case 'notify':
        return notify(effect, deps);
      case 'request':
        return request(effect);
      case 'set_mode': {
        const wish = { value: effect.value, by, forMs: lengthMs(effect, deps), next: undefined, cause };
        return attempt(effect, home.modes.setMode(effect.mode, wish));
      }
      case 'set_variable': {
        const { variable, value } = effect;
        return attempt(effect, home.variables.setVariable(variable, { value, by, cause }));
      }
      case 'note_presence': {
        const { person, state } = effect;
        return attempt(effect, home.presence.tell(person as UserId, state, { by, cause }));
      }
      case 'enable':
      case 'disable':
        return attempt(effect, automations.setEnabled(effect.target, effect.kind === 'enable'));
    }
  };
  const refuse = (effect: ActEffect, code: RightsCode): void => {
    const { automation } = effect;
    deps.alarms.suspended(automation, code);
    if ('ref' in effect && effect.ref !== null) deps.onRequestEnded(effect.ref, because(code));
    attempt(effect, automations.suspend(automation, code));
  };
  return {
    act: (effect: ActEffect): void => {
      const signer = findSigner(effect.automation);
      const code =
        effect.kind === 'enable'
          ? deps.steerRefusal(effect.automation, { automation: effect.target, do: 'enable' }, effect.cause)
          : actRefusal(effect, signer);
      if (code === 'CAUSE_NOT_ALLOWED') return undefined;
      if (signer !== undefined && code === null) return doIt(effect, signer);
      if (code !== null) refuse(effect, code);
    },
    stop: (): void => ending.abort(),
  };
}

function mayReach(
  { automations, log }: HomeActsDeps,
  { automation, version, step: { url } }: RequestEffect,
): Promise<boolean> {
  return automations.mayReachHub(automation, version, url).catch((cause: unknown) => {
    log.warn('who wrote a URL cannot be read, so it may not lead to the hub itself', { automation, cause });
    return false;
  });
}

/** Why a step would not be done; `null` where the signer may do it at this moment. */
export function actRefusal(effect: ActEffect, signer: ActingSigner | undefined): RightsCode | null {
  if (signer === undefined) return 'SIGNER_GONE';
  return signer.may(rightFor(effect, signer)) ? null : 'RIGHTS_MISSING';
}

type SteeringDeps = {
  readonly findSigner: FindSigner;
  readonly mayCaller: MayCaller;
  readonly automations: Pick<EngineAutomations, 'opens'>;
};

/** The same for one that runs, enables or stops another automation: who may not open a door may not have one opened. */
export function createSteering({
  findSigner,
  mayCaller,
  automations,
}: SteeringDeps): Pick<RunView, 'steerRefusal' | 'signedWith'> {
  return {
    steerRefusal: (by, step, cause) => {
      const signer = findSigner(by);
      if (signer === undefined) return 'SIGNER_GONE';
      if (!signer.may('automation:run')) return 'RIGHTS_MISSING';
      if (step.do === 'stop' || !automations.opens(step.automation)) return null;
      if (!signer.may('device:control_sensitive')) return 'RIGHTS_MISSING';
      const mayAll = (cause.callers ?? []).every((caller) => mayCaller(caller, 'device:control_sensitive'));
      return mayAll ? null : 'CAUSE_NOT_ALLOWED';
    },
    signedWith: (id) => {
      const token = findSigner(id)?.issuer.token;
      return token === undefined ? [] : [{ type: 'api_token', id: token }];
    },
  };
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

type Notice = Pick<Extract<Effect, { kind: 'notify' }>, 'step' | 'operands' | 'trigger'>;
type NoticeDeps = {
  readonly home: Pick<LiveHome, 'devices'>;
  readonly clock: Pick<EngineClock, 'hubMs' | 'guessMs'>;
  readonly civil: Pick<CivilTime, 'moment'>;
};

/** Stands in the text for a value that nobody knows. */
const UNKNOWN = '–';
const GAP = /\{(device\.name|trigger\.value|trigger\.unit|at|operand:[^{}]+)\}/g;

/** The words of a notification, with values in the gaps that it names. Other braces stay as they are. */
function renderNotice({ step, operands, trigger }: Notice, { home, clock, civil }: NoticeDeps) {
  const device = trigger.device === null ? undefined : home.devices.findDevice(trigger.device);
  const feature = device?.features.find(({ key }) => key === trigger.key);
  const wordFor = (gap: string): string => {
    if (gap === 'device.name') return device === undefined ? UNKNOWN : deviceName(device);
    if (gap === 'trigger.value') return wordOf(trigger.action ?? trigger.value);
    if (gap === 'trigger.unit') return unitOf(feature);
    if (gap === 'at') return timeOfDay(civil, trigger.atMs - clock.hubMs() + clock.guessMs());
    return wordOf(operands[gap.slice('operand:'.length)] ?? null);
  };
  const render = (text: string, longest: number): string => {
    return text.replaceAll(GAP, (_, gap: string) => wordFor(gap)).slice(0, longest);
  };
  return { title: render(step.title, MAX_TITLE_LENGTH), text: render(step.text ?? '', MAX_TEXT_LENGTH) };
}

function wordOf(value: JsonValue): string {
  if (value === null) return UNKNOWN;
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(Math.round(value * 1_000) / 1_000) : JSON.stringify(value);
}

const SIGNS: Readonly<Record<string, string>> = { percent: '%', celsius: '°C' };

function unitOf(feature: Device['features'][number] | undefined): string {
  const unit = feature?.unit ?? '';
  return SIGNS[unit] ?? unit;
}

function timeOfDay(civil: Pick<CivilTime, 'moment'>, wallMs: number): string {
  const minutes = Math.floor(civil.moment(wallMs).secondOfDay / 60);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`;
}
