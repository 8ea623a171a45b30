import type { JsonValue } from '#base/json.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { syntaxFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import { valueFromJson } from '#integrations/home-assistant-discovery/template/json.ts';
import { roundFloat } from '#integrations/home-assistant-discovery/template/number.ts';
import { dictGet, isKind, type Value } from '#integrations/home-assistant-discovery/template/value.ts';
import { numberIn, textIn, type Config } from '#integrations/home-assistant-discovery/message/config.ts';
import {
  controlDetails,
  listening,
  merged,
  neighbourOf,
  publicationTo,
  type EntityMaker,
  type Place,
} from '#integrations/home-assistant-discovery/entity/building.ts';
import {
  entityOf,
  numberFrom,
  type EntityDeps,
  type Part,
  refused,
  type Report,
  NO_STATE,
} from '#integrations/home-assistant-discovery/entity/entity.ts';
import { readingOf, writingOf, type Incoming } from '#integrations/home-assistant-discovery/entity/incoming.ts';
import {
  percentIn,
  rangeOf,
  valueAt,
  type PercentRange,
} from '#integrations/home-assistant-discovery/entity/percent-range.ts';

/** How far it came, in Home Assistant's words. */
type Movement = 'open' | 'opening' | 'closed' | 'closing';
/** A message says this of the cover; `null` that nobody knows. */
type Said = Movement | 'stopped' | null;

/** As Home Assistant 2025.4 has them. */
const MOVEMENTS: readonly Movement[] = ['open', 'opening', 'closed', 'closing'];
/** Where it goes counts, not how far it came. */
const WORDS: Readonly<Record<Movement, string>> = { open: 'open', opening: 'open', closed: 'close', closing: 'close' };
/** They open the home, which the hub guards. */
const ENTRANCES: ReadonlySet<string> = new Set(['door', 'garage', 'gate']);

type Ranges = { readonly position: PercentRange; readonly tilt: PercentRange };

export const cover: EntityMaker = (config, place, deps) => {
  const ranges = rangesIn(config);
  const memory: { position: number | null; movement: Movement | null } = { position: null, movement: null };
  const around = { ...deps, variables: templateNames(ranges) };
  const readPosition = readingOf(config, 'position_template', around);
  const positionHeard = (message: Incoming): number | undefined => {
    const found = positionFrom(readPosition(message));
    const percent = found === undefined ? undefined : percentIn(ranges.position, found);
    if (percent !== undefined) memory.position = Math.min(100, Math.max(0, percent));
    return percent === undefined ? undefined : Math.min(100, Math.max(0, percent));
  };
  const states = stateHeard(config, deps);
  const heard = (report: (said: Said) => Report): Part['listens'] =>
    textIn(config, 'state_topic') === undefined
      ? listening(config, 'position_topic', (message) => {
          const percent = positionHeard(message);
          return percent === undefined ? undefined : report(percent === 0 ? 'closed' : 'open');
        })
      : merged(
          listening(config, 'position_topic', (message) => void positionHeard(message)),
          listening(config, 'state_topic', (message) => {
            const said = states(message);
            return said === undefined ? undefined : report(said);
          }),
        );
  const parts = [
    ...commandPart(config, place, heard),
    ...movementParts(config, place, { heard, memory }),
    ...positionPart(config, place, { deps, ranges, heard: positionHeard }),
    ...tiltParts(config, place, { deps, ranges }),
  ];
  if (!parts.some(({ feature }) => feature.readable || feature.writable)) throw syntaxFault('it has no topic');
  return entityOf(parts);
};

function rangesIn(config: Config): Ranges {
  return {
    position: rangeOf(numberIn(config, 'position_closed') ?? 0, numberIn(config, 'position_open') ?? 100),
    tilt: rangeOf(numberIn(config, 'tilt_min') ?? 0, numberIn(config, 'tilt_max') ?? 100),
  };
}

function templateNames({ position, tilt }: Ranges): ReadonlyMap<string, Value> {
  return new Map([
    ['position_open', BigInt(position.full)],
    ['position_closed', BigInt(position.empty)],
    ['tilt_min', BigInt(tilt.empty)],
    ['tilt_max', BigInt(tilt.full)],
  ]);
}

/** A number, or an object with one under `position`. */
function positionFrom(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const json = valueFromJson(text) ?? null;
  return isKind(json, 'dict') ? numberFrom(dictGet(json, 'position') ?? null) : numberFrom(text);
}

function stateHeard(config: Config, deps: EntityDeps): (message: Incoming) => Said | undefined {
  const read = readingOf(config, 'value_template', deps);
  const words = new Map<string, Said>();
  // The first that fits counts, where several are the same.
  for (const word of ['stopped', 'opening', 'closing', 'open', 'closed'] as const) {
    const said = textIn(config, `state_${word}`) ?? word;
    if (!words.has(said)) words.set(said, word);
  }
  for (const word of NO_STATE) if (!words.has(word)) words.set(word, null);
  return (message) => words.get(read(message) ?? '');
}

type Heard = (report: (said: Said) => Report) => Part['listens'];

function commandPart(config: Config, place: Place, heard: Heard): Part[] {
  if (textIn(config, 'command_topic') === undefined) return [];
  const publication = publicationTo(config);
  const payloads = new Map(
    (['open', 'close', 'stop'] as const).flatMap((word) => {
      const name = `payload_${word}`;
      // `null` says that it cannot do that.
      return config.has(name) && config.get(name) === null ? [] : [[word, textIn(config, name) ?? word.toUpperCase()]];
    }) as [string, string][],
  );
  const listens = heard((said) => ({ value: said === 'stopped' ? 'stop' : said === null ? null : WORDS[said] }));
  const feature = wordFeature('cover_state', place.component, {
    ...controlDetails(config, place),
    readable: listens.size > 0,
    options: [...payloads.keys()],
  });
  const publish = (value: JsonValue): ReturnType<NonNullable<Part['publish']>> => {
    const payload = typeof value === 'string' ? payloads.get(value) : undefined;
    return payload === undefined ? undefined : publication(payload);
  };
  return [{ feature, listens, publish }];
}

function movementParts(
  config: Config,
  place: Place,
  {
    heard,
    memory,
  }: { readonly heard: Heard; readonly memory: { readonly position: number | null; movement: Movement | null } },
): Part[] {
  const isEntrance = ENTRANCES.has((textIn(config, 'device_class') ?? '').toLowerCase());
  const name = isEntrance ? 'garage_movement' : 'movement';
  const hasPosition = textIn(config, 'position_topic') !== undefined;
  const readable = hasPosition || textIn(config, 'state_topic') !== undefined;
  // The hub guards an entrance by this feature, also where nobody says how far it came.
  if (!readable && !isEntrance) return [];
  const stopped = (): Movement => {
    const isClosed = hasPosition
      ? memory.position === 0
      : memory.movement === 'closed' || memory.movement === 'closing';
    return isClosed ? 'closed' : 'open';
  };
  const listens = heard((said) => {
    memory.movement = said === 'stopped' ? stopped() : said;
    return { value: memory.movement };
  });
  const feature = ownFeature(name, place.component, {
    valueType: 'enum',
    category: 'primary',
    options: MOVEMENTS,
    readable,
  });
  return [{ feature: neighbourOf(place, feature), listens }];
}

type Positioned = {
  readonly deps: EntityDeps;
  readonly ranges: Ranges;
  readonly heard: (message: Incoming) => number | undefined;
};

function positionPart(config: Config, place: Place, { deps, ranges, heard }: Positioned): Part[] {
  const canSet = textIn(config, 'set_position_topic') !== undefined;
  if (!canSet && textIn(config, 'position_topic') === undefined) return [];
  const feature = neighbourOf(
    place,
    wordFeature('position', place.component, {
      writable: canSet,
      readable: textIn(config, 'position_topic') !== undefined,
      min: 0,
      max: 100,
    }),
  );
  const listens = listening(config, 'position_topic', (message) => {
    const percent = heard(message);
    return percent === undefined ? refused(message.text) : { value: percent };
  });
  if (!canSet) return [{ feature, listens }];
  const publication = publicationTo(config, 'set_position_topic');
  const write = writingOf(config, 'set_position_template', { ...deps, variables: templateNames(ranges) });
  const publish: Part['publish'] = (value) => {
    if (typeof value !== 'number') return undefined;
    const percent = Math.round(value);
    const target = roundFloat(valueAt(ranges.position, percent), 0);
    return publication(write(BigInt(target), String(target), new Map([['position', BigInt(percent)]])));
  };
  return [{ feature, listens, publish }];
}

function tiltParts(
  config: Config,
  place: Place,
  { deps, ranges }: { readonly deps: EntityDeps; readonly ranges: Ranges },
): Part[] {
  const canSet = textIn(config, 'tilt_command_topic') !== undefined;
  const { tilt } = ranges;
  const variables = templateNames(ranges);
  const around = { ...deps, variables };
  const [low, high] = [Math.min(tilt.empty, tilt.full), Math.max(tilt.empty, tilt.full)];
  const report = (found: number | undefined): Report => {
    if (found === undefined) return undefined;
    const whole = roundFloat(found, 0);
    return whole >= low && whole <= high ? { value: percentIn(tilt, whole) ?? 0 } : undefined;
  };
  const readTilt = readingOf(config, 'tilt_status_template', around);
  const readPosition = readingOf(config, 'position_template', around);
  const status = listening(config, 'tilt_status_topic', (message) => report(numberFrom(readTilt(message) ?? '')));
  const beside = listening(config, 'position_topic', (message) => {
    const json = valueFromJson(readPosition(message) ?? '') ?? null;
    return report(isKind(json, 'dict') ? numberFrom(dictGet(json, 'tilt_position') ?? null) : undefined);
  });
  if (!canSet && status.size === 0) return [];
  const listens = merged(status, beside);
  const feature = neighbourOf(
    place,
    wordFeature('tilt', place.component, { writable: canSet, readable: listens.size > 0, min: 0, max: 100 }),
  );
  if (!canSet) return [{ feature, listens }];
  const publication = publicationTo(config, 'tilt_command_topic');
  const write = writingOf(config, 'tilt_command_template', around);
  const send = (target: number, percent: number): ReturnType<typeof publication> =>
    publication(write(BigInt(target), String(target), new Map([['tilt_position', BigInt(percent)]])));
  const slats: Part = {
    feature,
    listens,
    publish: (value) =>
      typeof value === 'number' ? send(roundFloat(valueAt(tilt, Math.round(value)), 0), Math.round(value)) : undefined,
  };
  const [opened, closed] = [
    numberIn(config, 'tilt_opened_value') ?? 100,
    numberIn(config, 'tilt_closed_value') ?? 0,
  ].map(Math.round);
  const stop = config.get('payload_stop_tilt') === null ? undefined : (textIn(config, 'payload_stop_tilt') ?? 'STOP');
  const commands: Part = {
    feature: neighbourOf(
      place,
      ownFeature('tilt_command', place.component, {
        valueType: 'enum',
        writable: true,
        readable: false,
        category: 'primary',
        options: ['open', 'close', ...(stop === undefined ? [] : ['stop'])],
      }),
    ),
    listens: new Map(),
    publish: (value) => {
      if (value === 'open') return send(opened ?? 100, opened ?? 100);
      if (value === 'close') return send(closed ?? 0, closed ?? 0);
      return value === 'stop' && stop !== undefined ? publication(stop) : undefined;
    },
  };
  return [slats, commands];
}
