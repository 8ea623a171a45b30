import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import {
  addFaults,
  addReading,
  addSeconds,
  choice,
  flagIn,
  invoke,
  meaningOf,
  numberFrom,
  numberIn,
  type Part,
  reading,
  rounded,
  whereWritable,
  wordsFrom,
} from '#integrations/matter/mapping/source.ts';

/** Valves and pumps. */
export function waterSources(part: Part): void {
  valveSources(part);
  pumpSources(part);
}

const PERCENT = { min: 0, max: 100 };
const VALVE = 'valveConfigurationAndControl.currentState';
const ON_ITS_WAY = 2;
const IS_OPEN: ReadonlyMap<number, boolean> = new Map([
  [0, false],
  [1, true],
]);
const LEVEL = 'valveConfigurationAndControl.currentLevel';
const VALVE_FAULTS = ['generalFault', 'blocked', 'leaking', 'notConnected', 'shortCircuit', 'currentExceeded'];

function valveSources(part: Part): void {
  if (!part.hasCluster('valveConfigurationAndControl')) return;
  const [open, close] = ['valveConfigurationAndControl.open', 'valveConfigurationAndControl.close'] as const;
  const writable = part.takes(open) && part.takes(close);
  part.add(
    {
      feature: wordFeature('valve_open', part.component, { writable }),
      from: [VALVE],
      // On its way it is neither.
      read: (look) => (numberFrom(look(VALVE)) === ON_ITS_WAY ? undefined : meaningOf(IS_OPEN, look(VALVE))),
      ...whereWritable(writable, (isOpen, { also }) => {
        if (isOpen === true && typeof also('x.valve_position') === 'number') return [];
        return [invoke(part, isOpen === true ? open : close)];
      }),
    },
    VALVE,
  );
  if (part.has(LEVEL)) {
    const canSet = writable && part.can('valveConfigurationAndControl', 'level');
    part.add(
      {
        feature: ownFeature('valve_position', part.component, {
          valueType: 'number',
          unit: 'percent',
          category: 'primary',
          writable: canSet,
          ...PERCENT,
        }),
        from: [LEVEL],
        read: (look) => numberIn(look(LEVEL), [0, 100]),
        ...whereWritable(canSet, (percent, { also }) => {
          const targetLevel = rounded(Number(percent));
          if (also('valve_open') === false) return [];
          return [targetLevel === 0 ? invoke(part, close) : invoke(part, open, { fields: { targetLevel } })];
        }),
      },
      LEVEL,
    );
  }
  addSeconds(part, 'valve_remaining_time', { place: 'valveConfigurationAndControl.remainingDuration' });
  addSeconds(part, 'valve_default_open_time', {
    place: 'valveConfigurationAndControl.defaultOpenDuration',
    writable: true,
  });
  addFaults(part, 'valveConfigurationAndControl.valveFault', VALVE_FAULTS);
}

const PUMP = 'pumpConfigurationAndControl';
const PUMP_MODES = wordsFrom({ 0: 'normal', 1: 'minimum', 2: 'maximum', 3: 'local' });
const PUMP_CONTROLS = wordsFrom({
  0: 'constant_speed',
  1: 'constant_pressure',
  2: 'proportional_pressure',
  3: 'constant_flow',
  5: 'constant_temperature',
  7: 'automatic',
});

function pumpSources(part: Part): void {
  if (!part.hasCluster(PUMP)) return;
  const [status, mode, control] = [`${PUMP}.pumpStatus`, `${PUMP}.operationMode`, `${PUMP}.controlMode`] as const;
  if (part.has(status)) {
    const details = { valueType: 'boolean', category: 'primary' } as const;
    const running = ownFeature('pump_running', part.component, details);
    part.add(reading(running, status, (value) => flagIn(value, 'running')));
    addFaults(part, status, ['deviceFault', 'supplyFault']);
  }
  if (part.has(mode)) {
    const feature = wordFeature('operation_mode', part.component);
    part.add(choice(part, feature, { place: mode, words: PUMP_MODES, writable: true }), mode);
  }
  if (part.has(control)) {
    const feature = ownFeature('control_mode', part.component, { valueType: 'enum', category: 'config' });
    part.add(choice(part, feature, { place: control, words: PUMP_CONTROLS, writable: true }), control);
  }
  addReading(part, 'power', { place: `${PUMP}.power`, read: (value) => numberIn(value, [0, 0xff_fffe]) });
  addReading(part, 'energy', {
    place: `${PUMP}.lifetimeEnergyConsumed`,
    read: (value) => numberIn(value, [0, 0xffff_fffe]),
  });
}
