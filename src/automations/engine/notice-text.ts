import type { JsonValue } from '#base/json.ts';
import type { Effect } from '#core/automation-run/engine.ts';
import { type Device, deviceName } from '#core/device/device.ts';
import { MAX_TEXT_LENGTH, MAX_TITLE_LENGTH } from '#core/notification/notification.ts';
import type { CivilTime } from '#automations/civil-time.ts';
import type { EngineClock } from './engine-clock.ts';
import type { LiveHome } from './live-view.ts';

type Notice = Pick<Extract<Effect, { kind: 'notify' }>, 'step' | 'operands' | 'trigger'>;
type Deps = {
  readonly home: Pick<LiveHome, 'devices'>;
  readonly clock: Pick<EngineClock, 'hubMs' | 'guessMs'>;
  readonly civil: Pick<CivilTime, 'moment'>;
};

/** What stands for a value that nobody knows. */
const UNKNOWN = '–';
const GAP = /\{(device\.name|trigger\.value|trigger\.unit|at|operand:[^{}]+)\}/g;

/** The words of a notification, with values in the gaps that it names. Other braces stay as they are. */
export function renderNotice({ step, operands, trigger }: Notice, { home, clock, civil }: Deps) {
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
