import type { JsonObject } from '#base/json.ts';
import type { Occurrence } from '#core/feature/feature.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { numberIn, type Part, type Place, reading } from '#integrations/matter/mapping/source.ts';

const POSITION = 'switch.currentPosition';
/** Presses in a row that have a word of their own. */
const COUNTED = new Map([
  [1, 'single'],
  [2, 'double'],
  [3, 'triple'],
]);
const MANY = 'many';

type Happening = (data: JsonObject) => Occurrence | undefined;

/** Buttons, and switches that stay where they are put. */
export function buttonSources(part: Part): void {
  if (!part.hasCluster('switch')) return;
  const can = (flag: string): boolean => part.can('switch', flag);
  if (can('latchingSwitch')) addLatch(part);
  if (!can('momentarySwitch')) return;
  const happens = new Map<Place, Happening>();
  const options: string[] = [];
  const counts = can('momentarySwitchMultiPress') || can('actionSwitch');
  if (counts) {
    const most = numberIn(part.find('switch.multiPressMax'), [2, 255]) ?? COUNTED.size;
    options.push(...[...COUNTED].flatMap(([count, word]) => (count <= most ? [word] : [])));
    if (most > COUNTED.size) options.push(MANY);
    happens.set('switch.multiPressComplete', pressFrom);
  } else if (can('momentarySwitchRelease')) {
    options.push('single');
    happens.set('switch.shortRelease', () => ({ action: 'single', count: 1, raw: 'shortRelease' }));
  } else {
    options.push('press');
    happens.set('switch.initialPress', () => ({ action: 'press', raw: 'initialPress' }));
  }
  if (can('momentarySwitchLongPress')) {
    options.push('hold', 'release');
    happens.set('switch.longPress', () => ({ action: 'hold', raw: 'longPress' }));
    happens.set('switch.longRelease', () => ({ action: 'release', raw: 'longRelease' }));
  }
  part.add({ feature: wordFeature('button', part.component, { options }), happens });
  part.hide(POSITION, 'switch.numberOfPositions', 'switch.multiPressMax');
}

/** None were counted where the switch gave up. */
function pressFrom({ totalNumberOfPressesCounted }: JsonObject): Occurrence | undefined {
  const count = numberIn(totalNumberOfPressesCounted, [1, 255]);
  if (count === undefined) return undefined;
  return { action: COUNTED.get(count) ?? MANY, count, raw: 'multiPressComplete' };
}

function addLatch(part: Part): void {
  if (!part.has(POSITION)) return;
  const most = numberIn(part.find('switch.numberOfPositions'), [2, 255]) ?? 255;
  const details = { valueType: 'number', category: 'primary', min: 0, max: most - 1, step: 1 } as const;
  part.add(
    reading(ownFeature('switch_position', part.component, details), POSITION, (value) =>
      numberIn(value, [0, most - 1]),
    ),
    POSITION,
    'switch.numberOfPositions',
  );
}
