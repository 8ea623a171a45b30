import type { JsonValue } from '#base/json.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import type { MatterAsk } from '#integrations/matter/matter-node.ts';
import { colorSources, OPTIONS } from './colors.ts';
import { DEVICE } from '#integrations/matter/mapping/device-types.ts';
import {
  booleanFrom,
  clamp,
  invoke,
  numberIn,
  numberOf,
  type Part,
  rounded,
  whereWritable,
  wordOf,
  wordsFrom,
  write,
} from '#integrations/matter/mapping/source.ts';

/** 255 says nothing. */
const MOST_LEVEL = 254;
const PERCENT = { min: 0, max: 100 };

/**
 * Makes the parts that are switched, dimmed and colored. The switch comes last, so that a lamp goes on in the color
 * that it got.
 */
export function lightSources(part: Part): void {
  if (part.types.has(DEVICE.speaker)) return speakerSources(part);
  colorSources(part);
  levelSources(part);
  switchSources(part);
}

function switchSources(part: Part): void {
  const place = 'onOff.onOff';
  if (!part.has(place)) return;
  const writable = part.takes('onOff.on') && part.takes('onOff.off');
  part.add(
    {
      feature: wordFeature('on', part.component, { writable }),
      from: [place],
      read: (look) => booleanFrom(look(place)),
      // A brightness says it with its own command.
      ...whereWritable(writable, (on, { also }) =>
        typeof also('brightness') === 'number' ? [] : [invoke(part, on === true ? 'onOff.on' : 'onOff.off')],
      ),
    },
    place,
    'onOff.globalSceneControl',
  );
  startUpSources(part);
  if (part.has('onOff.onTime') && part.takes('onOff.onWithTimedOff')) {
    part.add(
      {
        feature: wordFeature('countdown', part.component, { writable: true, min: 0, max: 6_553 }),
        from: ['onOff.onTime'],
        read: (look) => {
          const tenths = numberIn(look('onOff.onTime'), [0, 65_534]);
          return tenths === undefined ? undefined : tenths / 10;
        },
        write: (seconds) => {
          const fields = {
            onOffControl: { acceptOnlyWhenOn: false },
            onTime: rounded(Number(seconds) * 10),
            offWaitTime: 0,
          };
          return [invoke(part, 'onOff.onWithTimedOff', { fields })];
        },
      },
      'onOff.onTime',
    );
  }
}

const START_UP = wordsFrom({ 0: 'off', 1: 'on', 2: 'toggle' });
const PREVIOUS = 'previous';

function startUpSources(part: Part): void {
  const place = 'onOff.startUpOnOff';
  if (!part.has(place)) return;
  part.add(
    {
      feature: wordFeature('power_on_behavior', part.component, {
        writable: true,
        options: [...START_UP.values(), PREVIOUS],
      }),
      from: [place],
      read: (look) => (look(place) === null ? PREVIOUS : wordOf(START_UP, look(place))),
      write: (word) => [write(part, place, numberOf(START_UP, word) ?? null)],
    },
    place,
  );
}

function percentFrom(level: JsonValue | undefined): number | undefined {
  const number = numberIn(level, [0, MOST_LEVEL]);
  return number === undefined ? undefined : rounded((number * 1_000) / MOST_LEVEL) / 10;
}

function boundsOf(part: Part): readonly [number, number] {
  const min = numberIn(part.find('levelControl.minLevel'), [0, MOST_LEVEL]) ?? 1;
  const max = numberIn(part.find('levelControl.maxLevel'), [0, MOST_LEVEL]) ?? MOST_LEVEL;
  return max > min ? [min, max] : [1, MOST_LEVEL];
}

function levelFrom(percent: JsonValue): number {
  return rounded((Number(percent) * MOST_LEVEL) / 100);
}

function levelSources(part: Part): void {
  const place = 'levelControl.currentLevel';
  if (!part.has(place)) return;
  const bounds = boundsOf(part);
  const [least, most] = bounds;
  const isLight = part.has('onOff.onOff') && !part.types.has(DEVICE.pump);
  const fades = isLight && part.takes('levelControl.moveToLevelWithOnOff');
  const writable = fades || part.takes('levelControl.moveToLevel');
  const move = (level: number, withOnOff: boolean, transitionTime: number): MatterAsk =>
    invoke(part, withOnOff ? 'levelControl.moveToLevelWithOnOff' : 'levelControl.moveToLevel', {
      fields: { level, transitionTime, ...OPTIONS },
    });
  part.add(
    {
      feature: isLight
        ? wordFeature('brightness', part.component, { writable, ...PERCENT })
        : ownFeature('level', part.component, {
            valueType: 'number',
            unit: 'percent',
            category: 'primary',
            writable,
            ...PERCENT,
          }),
      from: [place],
      read: (look) => percentFrom(look(place)),
      ...whereWritable(writable, (percent, { also, transition }) => {
        const on = also('on');
        const wanted = levelFrom(percent);
        // The level is for the next time that it is on.
        if (on === false) return [invoke(part, 'onOff.off'), move(clamp(wanted, bounds), false, 0)];
        const isOff = Number(percent) === 0 && on !== true;
        // At its least level this command switches off.
        const lit = clamp(wanted, fades ? [Math.min(least + 1, most), most] : bounds);
        const asks = [move(isOff ? least : lit, fades, transition)];
        return on === true && !fades ? [invoke(part, 'onOff.on'), ...asks] : asks;
      }),
    },
    place,
    'levelControl.minLevel',
    'levelControl.maxLevel',
  );
  const start = 'levelControl.startUpCurrentLevel';
  if (!part.has(start)) return;
  part.add(
    {
      feature: wordFeature('start_up_level', part.component, { writable: true, ...PERCENT }),
      from: [start],
      read: (look) => percentFrom(look(start)),
      write: (percent) => [write(part, start, clamp(levelFrom(percent), bounds))],
    },
    start,
  );
}

/** A loudspeaker that is on can be heard. */
function speakerSources(part: Part): void {
  if (part.has('onOff.onOff')) {
    part.add(
      {
        feature: wordFeature('muted', part.component, { writable: part.takes('onOff.off') }),
        from: ['onOff.onOff'],
        read: (look) => {
          const on = booleanFrom(look('onOff.onOff'));
          return on === undefined ? undefined : !on;
        },
        write: (muted) => [invoke(part, muted === true ? 'onOff.off' : 'onOff.on')],
      },
      'onOff.onOff',
    );
  }
  const place = 'levelControl.currentLevel';
  if (!part.has(place)) return;
  const bounds = boundsOf(part);
  part.add(
    {
      feature: wordFeature('volume', part.component, { writable: part.takes('levelControl.moveToLevel'), ...PERCENT }),
      from: [place],
      read: (look) => percentFrom(look(place)),
      write: (percent, { transition }) => {
        const fields = { level: clamp(levelFrom(percent), bounds), transitionTime: transition, ...OPTIONS };
        return [invoke(part, 'levelControl.moveToLevel', { fields })];
      },
    },
    place,
  );
}
