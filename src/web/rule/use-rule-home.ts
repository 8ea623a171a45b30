import { useMemo } from 'preact/hooks';
import type { Feature, Integration, Mode, Variable, VariableChangedData } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { modeName, namesOfValues } from '#web/house/mode-words.ts';
import { useModes, usePresence } from '#web/house/use-house.ts';
import { useReading } from '#web/parts/use-reading.ts';
import { sceneName, useScenes } from '#web/readings/use-scenes.ts';
import { iconOf } from '#web/state/device/device-facts.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { type MirrorSource, mirrorOf } from '#web/state/mirror.ts';
import { inEnglish } from '#web/strings/hub-text.ts';
import { rule as ruleWords } from '#web/strings/en/rule/rule.ts';
import type { Option, RuleHome } from '#web/rule/editor/rule-home.ts';
import type { ReferenceKind } from '#web/client/rule-forms.ts';
import type { Look } from '#web/rule/sentence/look.ts';
import { useRules } from './use-rules.ts';

const VARIABLES: MirrorSource<readonly Variable[]> = {
  path: '/variable',
  about: 'variable.',
  after: (variables, { data }) => {
    const { variable, gone } = data as VariableChangedData;
    if (gone) return variables.filter(({ key }) => key !== variable.key);
    const isKnown = variables.some(({ key }) => key === variable.key);
    return isKnown ? variables.map((one) => (one.key === variable.key ? variable : one)) : undefined;
  },
};

/** The names of the home and what it has to choose from, for sentences and their holes. */
export function useRuleHome(): RuleHome {
  const hub = useHub();
  const scenes = useScenes().value.value;
  const modes = useModes().value.value;
  const people = usePresence().value.value?.people;
  const variables = mirrorOf(hub, VARIABLES).value.value;
  const rules = useRules().value.value;
  const integrations = useReading<readonly Integration[]>('/integration').value;
  const entries = hub.home.entries.value;
  const rooms = hub.home.rooms.value;
  return useMemo(() => {
    const lists: Readonly<Record<Exclude<ReferenceKind, 'device' | 'group'>, readonly Named[]>> = {
      room: rooms,
      scene: (scenes ?? []).map((scene) => ({ ...scene, name: sceneName(scene) })),
      automation: rules ?? [],
      person: (people ?? []).map(({ user }) => ({ id: user.id, selector: user.id, name: user.name })),
      mode: (modes ?? []).map((mode) => ({ id: mode.key, selector: mode.key, name: modeName(mode) })),
      variable: (variables ?? []).map(({ key, name }) => ({ id: key, selector: key, name })),
      integration: (integrations ?? []).map(({ id, name }) => ({ id, selector: id, name: inEnglish(name) })),
    };
    const written = JSON.stringify(rules ?? []);
    const isUsed = ({ device }: DeviceEntry): boolean => written.includes(`"${device.peek().selector}"`);
    // What other automations are about is likely to come again.
    const inOrder = [...entries.filter(isUsed), ...entries.filter((entry) => !isUsed(entry))];
    const devices = (isGroup: boolean): readonly DeviceEntry[] =>
      inOrder.filter(({ device }) => !isGroup || device.peek().integration === 'group');
    const feature = (device: string, key: string): Feature | undefined =>
      hub.home
        .find(device)
        ?.device.peek()
        .features.find((one) => one.key === key);
    const byCapability = new Map<string, Feature>();
    for (const { device } of entries) {
      for (const one of device.peek().features) {
        if (!byCapability.has(one.capability)) byCapability.set(one.capability, one);
      }
    }
    return {
      nameOf: (to, reference) =>
        to === 'device' || to === 'group'
          ? hub.home.find(reference)?.device.peek().name
          : lists[to].find(({ id, selector }) => id === reference || selector === reference)?.name,
      feature,
      capability: (capability) => byCapability.get(capability),
      mode: (key) => modeLook(modes?.find((one) => one.key === key)),
      variable: (name) => variableLook(variables?.find(({ key }) => key === name)),
      options: (to, isFit = () => true) =>
        to === 'device' || to === 'group'
          ? devices(to === 'group').flatMap((entry) => deviceOption(entry, isFit))
          : lists[to].map(({ selector, name }) => ({ value: selector, words: name })),
      features: (device) => hub.home.find(device)?.device.peek().features ?? [],
      capabilities: () => [...byCapability].map(([value, { name }]) => ({ value, words: name })),
      recipients: () => [
        ...Object.entries(ruleWords.roles).map(([role, words]) => ({ value: `role:${role}`, words })),
        ...lists.person.map(({ id, name }) => ({ value: `user:${id}`, words: name })),
      ],
    };
  }, [hub, entries, rooms, scenes, modes, people, variables, rules, integrations]);
}

type Named = { readonly id: string; readonly selector: string; readonly name: string };

function deviceOption({ device }: DeviceEntry, isFit: (look: Look) => boolean): readonly Option[] {
  const { selector, name, room, features } = device.peek();
  return features.some(isFit) ? [{ value: selector, words: name, note: room?.name, icon: iconOf(device.peek()) }] : [];
}

const LOOK = { kind: 'state', unit: null, min: null, max: null, step: null, writable: true } as const;

function modeLook(mode: Mode | undefined): Look | undefined {
  if (mode === undefined) return undefined;
  const { key, name, values } = mode;
  return { ...LOOK, key, name, capability: 'x.mode', value_type: 'enum', options: values, names: namesOfValues(mode) };
}

function variableLook(variable: Variable | undefined): Look | undefined {
  if (variable === undefined) return undefined;
  const { key, name, type, min, max, options } = variable;
  const own = { ...LOOK, key, name, capability: 'x.variable', min, max };
  return { ...own, value_type: type === 'time' ? 'string' : type, options: options.length === 0 ? null : options };
}
