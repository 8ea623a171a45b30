import { type ReadonlySignal, signal } from '@preact/signals';
import type { Device, Feature } from '#web/client/api.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

type Question = {
  readonly title: string;
  readonly text?: string;
  /** Answers that go beyond yes and no. */
  readonly children?: object;
  readonly confirm: string;
  /** `danger`: something is lost then. */
  readonly tone?: 'danger';
};

type OpenQuestion = Question & {
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
  readonly turn: number;
};

/** Questions before commands that must not happen by accident. */
export type Questions = {
  readonly open: ReadonlySignal<OpenQuestion | null>;
  /** `onCancel`: it was closed, or another one came, before it was confirmed. */
  readonly ask: (question: Question, onConfirm: () => void, onCancel?: () => void) => void;
  /** A browser says late that a dialog was closed: a newer question stays open. */
  readonly close: (turn: number) => void;
};

export function createQuestions(): Questions {
  const open = signal<OpenQuestion | null>(null);
  let last = 0;
  return {
    open,
    ask: (question, onConfirm, onCancel = () => undefined) => {
      open.peek()?.onCancel();
      let isAnswered = false;
      const answer = (task: () => void) => (): void => {
        if (isAnswered) return;
        isAnswered = true;
        task();
      };
      open.value = { ...question, onConfirm: answer(onConfirm), onCancel: answer(onCancel), turn: (last += 1) };
    },
    close: (turn) => {
      const closed = open.peek();
      if (closed?.turn !== turn) return;
      open.value = null;
      closed.onCancel();
    },
  };
}

/** No protocol has a type for garage doors and gates: they are known by name, model or feature. */
const GATE = /garage|\bgate\b/i;
/** A device of one of these types has its name from the place where it is. */
const NO_GATE: ReadonlySet<Device['type']> = new Set<Device['type']>([
  'on_off_light',
  'dimmable_light',
  'color_temperature_light',
  'extended_color_light',
  'thermostat',
  'fan',
  'contact_sensor',
  'occupancy_sensor',
  'temperature_sensor',
  'humidity_sensor',
  'light_sensor',
  'water_leak_detector',
  'smoke_co_alarm',
  'air_quality_sensor',
  'electrical_sensor',
]);
const HARMLESS = new Set<unknown>([false, 'close', 'closed', 'stop', 'off', 'lock']);

/** The question before a risky command, `undefined` for most. `value` is `undefined` for an action. */
export function riskOf(device: Device, feature: Feature, value: unknown): Question | undefined {
  const { name, type } = device;
  const { capability } = feature;
  if (capability === 'locked' && value === false) {
    return { title: pageWords.risk.unlock(name), text: pageWords.risk.unlockText, confirm: pageWords.control.unlock };
  }
  const isValve = capability === 'valve_open' || (type === 'water_valve' && capability === 'on');
  if (isValve && value === true) {
    return { title: pageWords.risk.open(name), text: pageWords.risk.valveText, confirm: pageWords.control.openIt };
  }
  if (capability === 'siren' && !HARMLESS.has(value)) {
    return { title: pageWords.risk.sound(name), text: pageWords.risk.soundText, confirm: pageWords.risk.soundIt };
  }
  if (capability === 'arm_mode' && typeof value === 'string' && value.startsWith('disarm')) {
    return { title: pageWords.risk.disarm(name), text: pageWords.risk.disarmText, confirm: pageWords.risk.disarmIt };
  }
  if (feature.category === 'primary' && isGate(device) && canOpen(feature, value)) {
    return { title: pageWords.risk.open(name), text: pageWords.risk.gateText, confirm: pageWords.control.openIt };
  }
  return undefined;
}

function isGate({ name, model, type, features }: Device): boolean {
  const isNamed = GATE.test(name) && !NO_GATE.has(type);
  return isNamed || GATE.test(model ?? '') || features.some(({ key }) => GATE.test(key.replaceAll('_', ' ')));
}

function canOpen({ value: present, capability }: Feature, value: unknown): boolean {
  if (capability === 'position' && typeof present === 'number') return typeof value === 'number' && value > present;
  return !HARMLESS.has(value);
}
