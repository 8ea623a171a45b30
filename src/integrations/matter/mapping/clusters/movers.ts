import { type JsonValue, listOf, objectOf } from '#base/json.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import {
  addFaults,
  clamp,
  invoke,
  type Look,
  meaningOf,
  numberIn,
  type Part,
  type Place,
  reading,
  rounded,
  whereWritable,
  wordOf,
  wordsFrom,
} from '#integrations/matter/mapping/source.ts';

/** Makes the parts that open and close. */
export function moverSources(part: Part): void {
  coverSources(part);
  closureSources(part);
  panelSource(part);
}

const PERCENT = { min: 0, max: 100 };
const STATES = ['open', 'close', 'stop'];
/** In hundredths of a percent, from open to closed. */
const CLOSED = 10_000;

type Axis = {
  readonly word: 'position' | 'tilt';
  readonly flag: string;
  readonly place: Place;
  /** The same in whole percents. */
  readonly coarse: Place;
  readonly command: Place;
  readonly field: string;
};
const AXES: readonly Axis[] = [
  {
    word: 'position',
    flag: 'lift',
    place: 'windowCovering.currentPositionLiftPercent100ths',
    coarse: 'windowCovering.currentPositionLiftPercentage',
    command: 'windowCovering.goToLiftPercentage',
    field: 'liftPercent100thsValue',
  },
  {
    word: 'tilt',
    flag: 'tilt',
    place: 'windowCovering.currentPositionTiltPercent100ths',
    coarse: 'windowCovering.currentPositionTiltPercentage',
    command: 'windowCovering.goToTiltPercentage',
    field: 'tiltPercent100thsValue',
  },
];

function openShare(look: Look, { place, coarse }: Axis): number | undefined {
  const exact = numberIn(look(place), [0, CLOSED]);
  if (exact !== undefined) return 100 - exact / 100;
  const percent = numberIn(look(coarse), [0, 100]);
  return percent === undefined ? undefined : 100 - percent;
}

function coverSources(part: Part): void {
  if (!part.hasCluster('windowCovering')) return;
  const axes = AXES.filter(({ place, coarse }) => part.has(place) || part.has(coarse));
  const [main] = axes;
  addCoverState(part, main);
  for (const axis of axes) {
    const writable = part.takes(axis.command);
    part.add(
      {
        feature: wordFeature(axis.word, part.component, { writable, ...PERCENT }),
        from: [axis.place, axis.coarse],
        read: (look) => openShare(look, axis),
        ...whereWritable(writable, (percent) => {
          const closed = clamp(rounded((100 - Number(percent)) * 100), [0, CLOSED]);
          return [invoke(part, axis.command, { fields: { [axis.field]: closed } })];
        }),
      },
      axis.place,
      axis.coarse,
    );
  }
  addFaults(part, 'windowCovering.safetyStatus', COVER_FAULTS);
}

const COVER_FAULTS = [
  'failedCommunication',
  'positionFailure',
  'thermalProtection',
  'obstacleDetected',
  'motorJammed',
  'hardwareFailure',
];
const MOVING = 'windowCovering.operationalStatus';
const MOVEMENTS = wordsFrom({ 0: 'stopped', 1: 'opening', 2: 'closing' });
const ORDERS = new Map<JsonValue, Place>([
  ['open', 'windowCovering.upOrOpen'],
  ['close', 'windowCovering.downOrClose'],
  ['stop', 'windowCovering.stopMotion'],
]);

/** Where it goes counts, not how far it came. */
function addCoverState(part: Part, axis: Axis | undefined): void {
  const movementIn = (look: Look): string | undefined => {
    const { global, lift, tilt } = objectOf(look(MOVING));
    const number = [global, lift, tilt].find((one) => one === 1 || one === 2) ?? global;
    return number === undefined ? undefined : wordOf(MOVEMENTS, number);
  };
  const writable = [...ORDERS.values()].every((command) => part.takes(command));
  part.add({
    feature: wordFeature('cover_state', part.component, { writable, options: STATES }),
    from: [MOVING, ...(axis === undefined ? [] : [axis.place, axis.coarse])],
    read: (look) => {
      const movement = movementIn(look);
      if (movement === 'opening') return 'open';
      if (movement === 'closing') return 'close';
      const percent = axis === undefined ? undefined : openShare(look, axis);
      // Without a place of its own it stands where nobody knows.
      if (percent === undefined) {
        if (movement === undefined || axis !== undefined) return undefined;
        return movement === 'stopped' ? 'stop' : null;
      }
      return percent === 0 ? 'close' : percent === 100 ? 'open' : 'stop';
    },
    ...whereWritable(writable, (word, { also }) => {
      const command = ORDERS.get(word);
      // A place says more than a direction.
      const isPlaced = axis !== undefined && also(axis.word) !== undefined && word !== 'stop';
      return command === undefined || isPlaced ? [] : [invoke(part, command)];
    }),
  });
  if (!part.has(MOVING)) return;
  const options = [...MOVEMENTS.values()];
  part.add(
    {
      feature: ownFeature('movement', part.component, { valueType: 'enum', category: 'primary', options }),
      from: [MOVING],
      read: movementIn,
    },
    MOVING,
  );
}

const MAIN = 'closureControl.mainState';
const OVERALL = 'closureControl.overallCurrentState';
const MAIN_STATES = wordsFrom({
  0: 'stopped',
  1: 'moving',
  2: 'waiting_for_motion',
  3: 'error',
  4: 'calibrating',
  5: 'protected',
  6: 'disengaged',
  7: 'setup_required',
});
const [FULLY_CLOSED, FULLY_OPEN] = [0, 1];
/** Open in part, for a person on foot, for air, or at a place that the owner chose, it stands. */
const POSITIONS = wordsFrom({
  [FULLY_CLOSED]: 'close',
  [FULLY_OPEN]: 'open',
  2: 'stop',
  3: 'stop',
  4: 'stop',
  5: 'stop',
});
/** A device tells what it is among the tags of its endpoint: a covering or a cabinet opens no home. */
const CLOSURE_NAMESPACE = 0x44;
const HARMLESS: ReadonlySet<JsonValue> = new Set([0, 3]);
const MAX_TAGS = 32;

function closureSources(part: Part): void {
  if (!part.hasCluster('closureControl')) return;
  const kinds = listOf(part.find('descriptor.tagList'))
    .slice(0, MAX_TAGS)
    .flatMap((entry) => {
      const { namespaceId, tag = null } = objectOf(entry);
      return namespaceId === CLOSURE_NAMESPACE ? [tag] : [];
    });
  const isHarmless = kinds.length > 0 && kinds.every((kind) => HARMLESS.has(kind));
  const writable = part.takes('closureControl.moveTo');
  const options = part.takes('closureControl.stop') ? STATES : STATES.slice(0, 2);
  part.add(
    {
      feature: wordFeature('cover_state', part.component, { writable, options }),
      from: [OVERALL],
      read: (look) => meaningOf(POSITIONS, objectOf(look(OVERALL))['position']),
      ...whereWritable(writable, (word) => {
        if (word === 'stop') return [invoke(part, 'closureControl.stop')];
        const fields = { position: word === 'open' ? FULLY_OPEN : FULLY_CLOSED };
        return [invoke(part, 'closureControl.moveTo', { fields, timed: true })];
      }),
    },
    OVERALL,
  );
  // The hub guards what may open the home by the name of this feature.
  const name = isHarmless ? 'movement' : 'garage_movement';
  const details = { valueType: 'enum', category: 'primary', options: [...MAIN_STATES.values()] } as const;
  part.add(
    reading(ownFeature(name, part.component, details), MAIN, (value) => wordOf(MAIN_STATES, value)),
    MAIN,
  );
}

const PANEL = 'closureDimension.currentState';

/** One panel of a closure. Slats and stripes are closed at both ends, so theirs is no position. */
function panelSource(part: Part): void {
  if (!part.has(PANEL) || part.can('closureDimension', 'modulation')) return;
  const command = 'closureDimension.setTarget';
  const writable = part.takes(command) && part.can('closureDimension', 'positioning');
  part.add(
    {
      feature: wordFeature('position', part.component, { writable, ...PERCENT }),
      from: [PANEL],
      read: (look) => {
        const closed = numberIn(objectOf(look(PANEL))['position'], [0, CLOSED]);
        return closed === undefined ? undefined : 100 - closed / 100;
      },
      ...whereWritable(writable, (percent) => {
        const position = clamp(rounded((100 - Number(percent)) * 100), [0, CLOSED]);
        return [invoke(part, command, { fields: { position }, timed: true })];
      }),
    },
    PANEL,
  );
}
