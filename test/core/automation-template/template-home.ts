import { faultOfCron } from '#automations/cron.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { openTemplateRegistry, type OwnTemplate } from '#core/automation-template/template-registry.ts';
import { createKeyedDisk } from '#test/core/mode/mode-home.ts';
import { createTimeZone } from '#base/time/time-zone.ts';
import type { JsonValue } from '#base/json.ts';
import { createCivilTime } from '#automations/civil-time.ts';
import { checkDefinition } from '#core/automation/check/check-definition.ts';
import type { Directory } from '#core/automation/check/directory.ts';
import { readDefinition } from '#core/automation/document/read-definition.ts';
import { fillTemplate } from '#core/automation-template/fill.ts';
import { type InputHome, readInputs } from '#core/automation-template/inputs.ts';
import { SHIPPED_TEMPLATES } from '#core/automation-template/shipped/shipped-templates.ts';
import type { Template } from '#core/automation-template/template.ts';
import type { Automation } from '#core/automation/registry/automation-record.ts';
import type { Device } from '#core/device/device.ts';
import { wordFeature } from '#core/feature/new-feature.ts';
import { isVocabularyWord, VOCABULARY } from '#core/feature/vocabulary.ts';
import { HOME_MODE } from '#core/mode/mode.ts';
import { deviceOf } from '#test/support/automation/virtual-device.ts';
import { automation, createVirtualHome, type HomeSettings } from '#test/support/automation/virtual-home.ts';

/** Saturday, 21 November 2026, as the clock in Berlin shows it. */
export const at = (clock: string, date = '2026-11-21'): number => Date.parse(`${date}T${clock}:00+01:00`);

export function templateOf(id: string): Template {
  const found = SHIPPED_TEMPLATES.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no template ${id}`);
  return found;
}

/** The device with features as integrations make them. */
export function realDevice(id: string, setting: HomeSettings['devices'][string]): Device {
  const features = Object.keys(setting.values).map((key) => {
    const word = key.slice(key.lastIndexOf('.') + 1);
    if (!isVocabularyWord(word)) throw new Error(`${word} is no word of the vocabulary`);
    const { writable } = VOCABULARY[word];
    const ranged = VOCABULARY[word].unit === 'percent' ? { min: 0, max: 100 } : {};
    return { ...wordFeature(word, 'main', { writable, ...ranged }), key };
  });
  return { ...deviceOf(id, setting, 0), features };
}

export function inputHome(devices: HomeSettings['devices'], scenes: readonly string[] = []): InputHome {
  const all = Object.entries(devices).map(([id, setting]) => realDevice(id, setting));
  return {
    devices: () => all,
    findDevice: (id) => all.find((one) => one.id === id),
    findRoom: (id) => ({ id }),
    findScene: (id) => (scenes.includes(id) ? { id } : undefined),
  };
}

/** The automation that a template makes in this home. Throws where a person would get a refusal. */
export function filled(id: string, inputs: Record<string, JsonValue>, settings: HomeSettings): Automation {
  const template = templateOf(id);
  const home = inputHome(settings.devices, Object.keys(settings.scenes ?? {}));
  const reading = readInputs(template, inputs, home);
  if (reading.values === undefined) throw new Error(JSON.stringify(reading.errors));
  const document = fillTemplate(template.definition, reading.values);
  if (document === undefined) throw new Error('the template grows without end');
  const { definition, errors } = readDefinition(document, (_kind, reference) => reference);
  if (definition === undefined) throw new Error(JSON.stringify(errors));
  const directory: Directory = {
    device: home.findDevice,
    devices: home.devices,
    mode: (key) => (key === 'home' ? HOME_MODE : undefined),
    variable: () => undefined,
    sceneDevices: () => [],
    opens: () => false,
    isRecorded: () => true,
    faultOfCron,
    self: undefined,
  };
  const check = checkDefinition(definition, directory);
  if (check.errors.length > 0 || check.sensitive !== null) throw new Error(JSON.stringify(check));
  return automation(id, definition, { isDurable: definition.durable === 'always', signedAtMs: 0 });
}

const ZONE = createTimeZone('Europe/Berlin');
/** Berlin, as its clocks and its sun are. */
export const CIVIL = createCivilTime({
  zone: () => ZONE,
  place: () => ({ latitude: 52.52, longitude: 13.41 }),
  isFree: (date) => date.endsWith('12-25'),
  timeIn: () => undefined,
});

/** A home in Berlin with one automation, made of a template. */
export function homeWith(id: string, inputs: Record<string, JsonValue>, settings: HomeSettings) {
  const whole = { startMs: at('12:00'), civil: CIVIL, ...settings };
  const home = createVirtualHome({ ...whole, automations: [filled(id, inputs, whole)] });
  return {
    ...home,
    /** What was sent, without the time. */
    given: (): readonly string[] => home.sent().map((line) => line.slice(line.indexOf(': ') + 2)),
    /** Each notification as its severity and title, or as what it takes back. */
    told: (): readonly string[] =>
      home.effects().flatMap((effect) => {
        if (effect.kind !== 'notify') return [];
        const { severity, title, resolve_key: resolved } = effect.step;
        return [resolved === undefined ? `${severity}: ${title}` : `over: ${resolved}`];
      }),
    /** Goes on to a time of the clock in Berlin. */
    goTo: (clock: string, date?: string): void => home.advance(at(clock, date) - home.nowMs()),
  };
}

/** The real registry of imported templates, on a disk in memory. */
export function openTestTemplates(store = createKeyedDisk<OwnTemplate>()) {
  return openTemplateRegistry({ store, turn: createTurnQueue(), nowMs: () => 1, messages: () => undefined });
}
