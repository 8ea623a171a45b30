import type { JsonValue } from '#base/json.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { syntaxFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import { jsonText, valueFromJson } from '#integrations/home-assistant-discovery/template/json.ts';
import {
  dictGet,
  dictOf,
  isKind,
  isNumber,
  type PyDict,
  type Value,
} from '#integrations/home-assistant-discovery/template/value.ts';
import { flagIn, textIn, textsIn } from '#integrations/home-assistant-discovery/message/config.ts';
import {
  codeOf,
  controlDetails,
  listening,
  neighbourOf,
  pressOf,
  publicationTo,
  type EntityMaker,
} from '#integrations/home-assistant-discovery/entity/building.ts';
import {
  entityOf,
  isNoState,
  NO_STATE,
  type Part,
  type Publication,
  type Report,
  type Wishes,
} from '#integrations/home-assistant-discovery/entity/entity.ts';
import { readingOf, writingOf } from '#integrations/home-assistant-discovery/entity/incoming.ts';

/** A person asks for the state that the alarm is to reach. */
const ARMING: Readonly<Record<string, string>> = {
  disarmed: 'disarm',
  armed_home: 'arm_home',
  armed_away: 'arm_away',
  armed_night: 'arm_night',
  armed_vacation: 'arm_vacation',
  armed_custom_bypass: 'arm_custom_bypass',
};
/** As Home Assistant 2025.4 has them. */
const ALARM_STATES = [...Object.keys(ARMING), 'pending', 'arming', 'disarming', 'triggered'];

export const alarmControlPanel: EntityMaker = (config, place, deps) => {
  const { component } = place;
  if (textIn(config, 'state_topic') === undefined) throw syntaxFault('the state_topic is missing');
  const abilities = textsIn(config, 'supported_features') ?? [...Object.values(ARMING), 'trigger'];
  const modes = Object.keys(ARMING).filter((mode) => mode === 'disarmed' || abilities.includes(ARMING[mode] ?? ''));
  const read = readingOf(config, 'value_template', deps);
  const heard = (states: readonly string[]): Part['listens'] =>
    listening(config, 'state_topic', (message) => {
      const text = read(message);
      if (text === undefined || text === '') return undefined;
      // Nobody knows how a panel is armed that is arming or triggered, or that says a word that is no state.
      return { value: states.includes(text) ? text : null };
    });
  const publication = publicationTo(config);
  const write = writingOf(
    config.has('command_template') ? config : new Map([...config, ['command_template', '{{action}}']]),
    'command_template',
    deps,
  );
  const code = textIn(config, 'code');
  const mode: Part = {
    feature: wordFeature('arm_mode', component, { ...controlDetails(config, place), options: modes }),
    listens: heard(Object.keys(ARMING)),
  };
  const state: Part = {
    feature: neighbourOf(
      place,
      ownFeature('alarm_state', component, { valueType: 'enum', category: 'primary', options: ALARM_STATES }),
    ),
    listens: heard(ALARM_STATES),
  };
  const codePart = codeOf(place, 'alarm_code');
  const trigger: Part = { feature: pressOf(place, 'trigger', { name: 'Trigger' }), listens: new Map() };
  const isRequired = (kind: string): boolean =>
    !config.has(`code_${kind}_required`) || flagIn(config, `code_${kind}_required`);
  const send = (action: string, kind: string, given: string | null): readonly Publication[] | undefined => {
    const fits =
      code === undefined ||
      given === code ||
      ((code === 'REMOTE_CODE' || code === 'REMOTE_CODE_TEXT') && given !== null && given !== '');
    if (isRequired(kind) && !fits) return undefined;
    const payload = textIn(config, `payload_${action}`) ?? action.toUpperCase();
    return [
      publication(
        write(
          null,
          payload,
          new Map([
            ['action', payload],
            ['code', given],
          ]),
        ),
      ),
    ];
  };
  return entityOf(
    [mode, state, ...(code === undefined ? [] : [codePart]), ...(abilities.includes('trigger') ? [trigger] : [])],
    {
      publishTogether: (wishes) => {
        const given = wishes.get(codePart.feature.key) ?? null;
        if (given !== null && typeof given !== 'string') return undefined;
        if (wishes.has(trigger.feature.key)) return send('trigger', 'trigger', given);
        const wanted = wishes.get(mode.feature.key);
        if (typeof wanted !== 'string' || !modes.includes(wanted)) return undefined;
        return send(ARMING[wanted] ?? '', wanted === 'disarmed' ? 'disarm' : 'arm', given);
      },
    },
  );
};

const SIREN_SETTINGS = ['tone', 'duration', 'volume_level'] as const;
type SirenSetting = (typeof SIREN_SETTINGS)[number];

/** A tone, a duration or a volume goes with the command that sounds the siren, never alone. */
export const siren: EntityMaker = (config, place, deps) => {
  const { component } = place;
  const word = (usual: string, name: string): string => textIn(config, name) || usual;
  const [on, off] = [textIn(config, 'payload_on') ?? 'ON', textIn(config, 'payload_off') ?? 'OFF'];
  const [stateOn, stateOff] = [word(on, 'state_on'), word(off, 'state_off')];
  const tones = textsIn(config, 'available_tones') ?? [];
  const allowed = (name: string): boolean => !config.has(name) || flagIn(config, name);
  const settings = SIREN_SETTINGS.filter((name) =>
    name === 'tone' ? tones.length > 0 : allowed(name === 'duration' ? 'support_duration' : 'support_volume_set'),
  );
  const read = readingOf(config, 'state_value_template', deps);
  const heard = (take: (said: PyDict) => Report): Part['listens'] =>
    listening(config, 'state_topic', (message) => {
      const text = read(message) ?? '';
      const json = [stateOn, stateOff, ...NO_STATE].includes(text)
        ? dictOf([['state', text]])
        : (valueFromJson(text) ?? null);
      return isKind(json, 'dict') ? take(json) : undefined;
    });
  const sounding: Part = {
    feature: wordFeature('siren', component, controlDetails(config, place)),
    listens: heard((said) => {
      const state = dictGet(said, 'state');
      if (state === stateOn || state === stateOff) return { value: state === stateOn };
      return typeof state === 'string' && isNoState(state) ? { value: null } : undefined;
    }),
  };
  const keyOf = new Map<SirenSetting, string>();
  const beside = settings.map((name): Part => {
    const shape =
      name === 'tone'
        ? ({ valueType: 'enum', options: tones } as const)
        : name === 'duration'
          ? ({ valueType: 'number', unit: 's', min: 0 } as const)
          : ({ valueType: 'number', min: 0, max: 1 } as const);
    const feature = neighbourOf(
      place,
      ownFeature(`siren_${name}`, component, {
        ...shape,
        writable: true,
        readable: sounding.listens.size > 0,
        category: 'config',
      }),
    );
    keyOf.set(name, feature.key);
    return { feature, listens: heard((said) => reportOf(dictGet(said, name) ?? null, name)) };
  });
  const publication = publicationTo(config);
  const sender = (template: string) => {
    const write = writingOf(config, template, deps);
    return (state: string, more: readonly (readonly [string, Value])[]): readonly Publication[] => {
      const members = [['state', state] as const, ...more];
      const plain = jsonText(dictOf(members));
      const payload = write(state, plain, new Map(members));
      return payload === '' || payload === 'None' ? [] : [publication(payload)];
    };
  };
  const turnOn = sender('command_template');
  const turnOff = sender(config.has('command_off_template') ? 'command_off_template' : 'command_template');
  return entityOf([sounding, ...beside], {
    publishTogether: (wishes) => {
      const wanted = wishes.get(sounding.feature.key);
      if (typeof wanted !== 'boolean') return undefined;
      return wanted ? turnOn(on, settingsIn(wishes, keyOf)) : turnOff(off, []);
    },
  });
};

function settingsIn(wishes: Wishes, keyOf: ReadonlyMap<SirenSetting, string>): readonly (readonly [string, Value])[] {
  const members: (readonly [string, Value])[] = [];
  for (const [name, key] of keyOf) {
    const value: JsonValue = wishes.get(key) ?? null;
    if (typeof value === 'string') members.push([name, value]);
    if (typeof value === 'number') members.push([name, name === 'duration' ? BigInt(Math.round(value)) : value]);
  }
  return members;
}

function reportOf(value: Value, name: SirenSetting): Report {
  if (name === 'tone') return typeof value === 'string' ? { value } : undefined;
  return isNumber(value) && typeof value !== 'boolean' ? { value: Number(value) } : undefined;
}
