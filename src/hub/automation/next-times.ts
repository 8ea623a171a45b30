import type { ClockSource } from '#base/time/hub-clock.ts';
import type { TimeZone } from '#base/time/time-zone.ts';
import type { Place } from '#core/place/place.ts';
import { distinctTriggers } from '#core/automation/trigger/distinct-triggers.ts';
import type { VariableRegistry } from '#core/variable/variable-registry.ts';
import type { NextFirings } from '#http/automation/shown.ts';

type NextTimesDeps = {
  readonly hubClock: { readonly nowMs: () => number; readonly source: () => ClockSource };
  readonly place: Pick<Place, 'location' | 'isFree'>;
  readonly timeZone: () => TimeZone;
  readonly variables: Pick<VariableRegistry, 'findVariable'>;
};

const SHOWN = 10;

/** Tells when automations would start by the clock. The code that works that out is read with the first question. */
export function createNextFirings({ hubClock, place, timeZone, variables }: NextTimesDeps): NextFirings {
  return async (definition, withSun, count = SHOWN) => {
    if (!definition.triggers.some(({ type }) => type === 'time' || type === 'sun')) {
      return { firings: [], waitsFor: 'none' };
    }
    if (hubClock.source() === 'none') return { firings: [], waitsFor: 'clock' };
    const [{ createCivilTime }, { nextFirings }] = await Promise.all([
      import('#automations/civil-time.ts'),
      import('#automations/next-firings.ts'),
    ]);
    const civil = createCivilTime({
      zone: timeZone,
      place: place.location,
      isFree: place.isFree,
      timeIn: (key) => {
        const value = variables.findVariable(key)?.value;
        return typeof value === 'string' ? value : undefined;
      },
    });
    const triggers = distinctTriggers(definition).filter(({ type }) => withSun || type !== 'sun');
    const firings = nextFirings({ triggers }, { civil, zone: timeZone() }, { afterMs: hubClock.nowMs(), count });
    const isBlind = place.location() === undefined && definition.triggers.some(({ type }) => type === 'sun');
    return { firings, waitsFor: isBlind ? 'location' : 'none' };
  };
}
