import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { syntaxFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import { valueFromJson } from '#integrations/home-assistant-discovery/template/json.ts';
import { roundFloat } from '#integrations/home-assistant-discovery/template/number.ts';
import { dictGet, isKind, isNumber, type Value } from '#integrations/home-assistant-discovery/template/value.ts';
import { flagIn, numberIn, textIn, type Config } from '#integrations/home-assistant-discovery/message/config.ts';
import {
  controlDetails,
  listening,
  neighbourOf,
  pressOf,
  publicationTo,
  type EntityMaker,
  type Place,
} from '#integrations/home-assistant-discovery/entity/building.ts';
import {
  entityOf,
  numberFrom,
  isNoState,
  type Part,
  type Report,
} from '#integrations/home-assistant-discovery/entity/entity.ts';
import { readingOf, writingOf, type Incoming } from '#integrations/home-assistant-discovery/entity/incoming.ts';
import { percentIn, rangeOf, valueAt } from '#integrations/home-assistant-discovery/entity/percent-range.ts';

/** A valve without a position has `null` for both where nobody knows. */
type Said = { readonly movement: string | null; readonly percent: number | null };

/** As Home Assistant 2025.4 has them. */
const MOVEMENTS = ['open', 'opening', 'closed', 'closing'];

/** A valve that opens and closes, or one that says how far it is open. */
export const valve: EntityMaker = (config, place, deps) => {
  const { component } = place;
  const isPositioned = flagIn(config, 'reports_position');
  const range = rangeOf(numberIn(config, 'position_closed') ?? 0, numberIn(config, 'position_open') ?? 100);
  const variables = new Map<string, Value>([
    ['position_open', BigInt(range.full)],
    ['position_closed', BigInt(range.empty)],
  ]);
  const around = { ...deps, variables };
  const listens = (report: (said: Said) => Report): Part['listens'] => {
    const read = saidIn(config, around, isPositioned ? range : null);
    return listening(config, 'state_topic', (message) => {
      const said = read(message);
      return said === undefined ? undefined : report(said);
    });
  };
  const isOpen = ({ movement, percent }: Said): boolean | null | undefined => {
    if (percent !== null) return percent > 0;
    return isPositioned ? undefined : movement === null ? null : movement !== 'closed';
  };
  const parts: Part[] = [];
  const open = listens((said) => {
    const value = isOpen(said);
    return value === undefined ? undefined : { value };
  });
  const canSet = textIn(config, 'command_topic') !== undefined;
  const feature = wordFeature('valve_open', component, { ...controlDetails(config, place), writable: canSet });
  const { movement, position } = besideOf(place, { listens, canSet });
  if (!canSet && open.size === 0) throw syntaxFault('it has no topic');
  const beside = open.size > 0 ? [movement] : [];
  if (!canSet) return entityOf([{ feature, listens: open }, ...beside, ...(isPositioned ? [position] : [])]);
  const publication = publicationTo(config);
  const write = writingOf(config, 'command_template', around);
  const setPosition = (percent: number) => {
    const target = roundFloat(valueAt(range, percent), 0);
    return publication(write(BigInt(target), String(target), new Map([['position', BigInt(percent)]])));
  };
  const payload = (name: string, usual: string | null): string | null =>
    config.get(name) === null ? null : (textIn(config, name) ?? usual);
  const send = (text: string | null) => (text === null ? undefined : publication(write(text, text)));
  parts.push({
    feature,
    listens: open,
    publish: (value) => {
      if (typeof value !== 'boolean') return undefined;
      if (isPositioned) return setPosition(value ? 100 : 0);
      return send(value ? payload('payload_open', 'OPEN') : payload('payload_close', 'CLOSE'));
    },
  });
  if (isPositioned)
    parts.push({
      ...position,
      publish: (value) => (typeof value === 'number' ? setPosition(Math.round(value)) : undefined),
    });
  const stop = payload('payload_stop', null);
  if (stop !== null) {
    const press = pressOf(place, 'stop', { name: 'Stop' });
    parts.push({ feature: press, listens: new Map(), publish: () => send(stop) });
  }
  return entityOf([...parts, ...beside]);
};

type Heard = {
  readonly listens: (report: (said: Said) => Report) => Part['listens'];
  readonly canSet: boolean;
};

function besideOf(place: Place, { listens, canSet }: Heard): { readonly movement: Part; readonly position: Part } {
  const { component } = place;
  const movement: Part = {
    feature: neighbourOf(
      place,
      ownFeature('valve_movement', component, { valueType: 'enum', category: 'primary', options: MOVEMENTS }),
    ),
    listens: listens((said) => {
      const resting = said.percent === null ? null : said.percent === 0 ? 'closed' : 'open';
      return { value: said.movement ?? resting };
    }),
  };
  const position: Part = {
    feature: neighbourOf(
      place,
      ownFeature('valve_position', component, {
        valueType: 'number',
        category: 'primary',
        unit: 'percent',
        min: 0,
        max: 100,
        writable: canSet,
        readable: listens(() => undefined).size > 0,
      }),
    ),
    listens: listens(({ percent }) => (percent === null ? undefined : { value: percent })),
  };
  return { movement, position };
}

function saidIn(
  config: Config,
  around: Parameters<typeof readingOf>[2],
  range: ReturnType<typeof rangeOf> | null,
): (message: Incoming) => Said | undefined {
  const read = readingOf(config, 'value_template', around);
  const words = new Map(
    ['closed', 'open', 'closing', 'opening'].flatMap((word) =>
      range !== null && !word.endsWith('ing') ? [] : [[textIn(config, `state_${word}`) ?? word, word] as const],
    ),
  );
  return (message) => {
    const text = read(message);
    if (text === undefined || text === '') return undefined;
    const json = valueFromJson(text) ?? null;
    const isObject = isKind(json, 'dict');
    const state = isObject ? (dictGet(json, 'state') ?? null) : text;
    const movement = typeof state === 'string' ? (words.get(state) ?? null) : null;
    const isUnknown = typeof state === 'string' && movement === null && isNoState(state);
    if (range === null) return movement === null && !isUnknown ? undefined : { movement, percent: null };
    if (isObject && dictGet(json, 'position') === undefined) return undefined;
    const found = isObject ? (dictGet(json, 'position') ?? null) : text;
    // A word for the movement alone is no position.
    const number =
      isNumber(found) || (typeof found === 'string' && found !== state) || movement === null
        ? numberFrom(found)
        : undefined;
    const percent = number === undefined ? undefined : percentIn(range, number);
    if (percent === undefined && movement === null) return undefined;
    return { movement, percent: percent === undefined ? null : Math.min(100, Math.max(0, percent)) };
  };
}
