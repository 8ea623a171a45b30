import { type ReadonlySignal, signal } from '@preact/signals';
import type { Device, Feature } from '#web/client/api.ts';
import { t } from '#web/strings/strings.ts';

export type Question = { readonly title: string; readonly text: string; readonly confirm: string };

type OpenQuestion = Question & { readonly onConfirm: () => void; readonly turn: number };

/** Questions before commands that must not happen by accident. */
export type Questions = {
  readonly open: ReadonlySignal<OpenQuestion | null>;
  readonly ask: (question: Question, onConfirm: () => void) => void;
  /** A browser says late that a dialog was closed: a newer question stays open. */
  readonly close: (turn: number) => void;
};

export function createQuestions(): Questions {
  const open = signal<OpenQuestion | null>(null);
  let last = 0;
  return {
    open,
    ask: (question, onConfirm) => (open.value = { ...question, onConfirm, turn: (last += 1) }),
    close: (turn) => {
      if (open.peek()?.turn === turn) open.value = null;
    },
  };
}

/** No protocol has a type for garage doors and gates: they are known by name, model or feature. */
const GATE = /garage|\bgate\b/i;
const HARMLESS = new Set<unknown>([false, 'close', 'closed', 'stop', 'off', 'lock']);

/** The question before a risky command, `undefined` for most. `value` is `undefined` for an action. */
export function riskOf(device: Device, feature: Feature, value: unknown): Question | undefined {
  const { name, type } = device;
  const { capability } = feature;
  if (capability === 'locked' && value === false) {
    return { title: t.risk.unlock(name), text: t.risk.unlockText, confirm: t.control.unlock };
  }
  const isValve = capability === 'valve_open' || (type === 'water_valve' && capability === 'on');
  if (isValve && value === true) {
    return { title: t.risk.open(name), text: t.risk.valveText, confirm: t.control.openIt };
  }
  if (capability === 'siren' && !HARMLESS.has(value)) {
    return { title: t.risk.sound(name), text: t.risk.soundText, confirm: t.risk.soundIt };
  }
  if (capability === 'arm_mode' && typeof value === 'string' && value.startsWith('disarm')) {
    return { title: t.risk.disarm(name), text: t.risk.disarmText, confirm: t.risk.disarmIt };
  }
  if (feature.category === 'primary' && isGate(device) && canOpen(feature, value)) {
    return { title: t.risk.open(name), text: t.risk.gateText, confirm: t.control.openIt };
  }
  return undefined;
}

function isGate({ name, model, features }: Device): boolean {
  return GATE.test(name) || GATE.test(model ?? '') || features.some(({ key }) => GATE.test(key.replaceAll('_', ' ')));
}

function canOpen({ value: present, capability }: Feature, value: unknown): boolean {
  if (capability === 'position' && typeof present === 'number') return typeof value === 'number' && value > present;
  return !HARMLESS.has(value);
}
