import type { JsonValue } from '#base/json.ts';
import type { Happening } from '#core/automation/trigger/happening.ts';
import type { Cause } from '#core/cause/cause.ts';
import type { Device } from '#core/device/device.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { FeatureState } from '#core/feature/feature.ts';
import type { Engine } from './engine.ts';

/** Turns an event into happenings for triggers. Notes the new values, because the next event compares with them. */
export function noteHome(engine: Engine, event: HomeEvent, cause: Cause | null): readonly Happening[] {
  switch (event.type) {
    case 'feature.changed': {
      const { device, key, state } = event;
      const { value, quality } = state;
      const feature = `${device.id} ${key}`;
      const from = engine.values.get(feature);
      const shown = engine.shown.get(feature);
      noteValue(engine, feature, state);
      return [{ kind: 'value', device: device.id, key, from, shown, news: { value, quality, cause: event.cause } }];
    }
    case 'feature.occurred':
      return [{ kind: 'occurrence', device: event.device.id, key: event.key, occurrence: event.occurrence }];
    case 'availability.changed': {
      const { device, availability } = event;
      const from = engine.availability.get(device.id);
      engine.availability.set(device.id, availability.state);
      return [{ kind: 'availability', device: device.id, from, to: availability.state }];
    }
    case 'device.added':
    case 'device.changed':
      noteDevice(engine, event.device);
      return [];
    case 'device.removed':
      return forgetDevice(engine, event.device);
    case 'mode.changed': {
      const { key, value } = event.mode;
      const from = engine.modes.get(key);
      if (event.isGone) return forgetNamed(engine.modes, key);
      engine.modes.set(key, value);
      return from === undefined || from === value ? [] : [{ kind: 'mode', mode: key, from, to: value, cause }];
    }
    case 'variable.changed': {
      const { key, value } = event.variable;
      const from = engine.variables.get(key) ?? null;
      if (event.isGone) return forgetNamed(engine.variables, key);
      engine.variables.set(key, value);
      const isMade = event.variable.revision === 1;
      return isMade || from === value ? [] : [{ kind: 'variable', variable: key, from, to: value, cause }];
    }
    case 'presence.changed': {
      const from = engine.presences.get(event.user.id) ?? 'unknown';
      engine.presences.set(event.user.id, event.presence.state);
      if (from === event.presence.state) return [];
      return [{ kind: 'presence', person: event.user.id, from, to: event.presence.state, cause }];
    }
    case 'integration.changed':
      return integrationHappenings(engine, event.integration, event.status.state === 'connected');
    default:
      return [];
  }
}

/** One that is made later under the same key is another one: that it is there is no change. */
function forgetNamed(values: Map<string, unknown>, key: string): readonly Happening[] {
  values.delete(key);
  return [];
}

/** A device that is here now, with the values that it has already. */
export function noteDevice(engine: Engine, device: Device): void {
  engine.index.noteDevice(device.id, device);
  if (!engine.availability.has(device.id)) engine.availability.set(device.id, device.availability.state);
  for (const [key, state] of device.states) {
    const feature = `${device.id} ${key}`;
    if (!engine.values.has(feature)) noteValue(engine, feature, state);
  }
}

/** Notes a value that was only sent as shown, not as known. A value that nobody knows takes nothing away. */
function noteValue({ values, shown }: Engine, feature: string, { value, quality }: FeatureState): void {
  if (quality === 'none') return;
  shown.set(feature, value);
  if (quality !== 'assumed') values.set(feature, value);
}

/** The index still knows it, so that those who watch it are found. */
function forgetDevice(engine: Engine, device: Device): readonly Happening[] {
  const from = engine.availability.get(device.id);
  const values = [...device.states.keys()].map((key): Happening => {
    const feature = `${device.id} ${key}`;
    const value: JsonValue | undefined = engine.values.get(feature);
    return { kind: 'value', device: device.id, key, from: value, shown: engine.shown.get(feature) };
  });
  for (const key of device.states.keys()) {
    engine.values.delete(`${device.id} ${key}`);
    engine.shown.delete(`${device.id} ${key}`);
  }
  engine.availability.delete(device.id);
  return [...values, { kind: 'availability', device: device.id, from, to: undefined }];
}

function integrationHappenings({ integrations }: Engine, integration: string, isUp: boolean): readonly Happening[] {
  const wasUp = integrations.get(integration);
  integrations.set(integration, isUp);
  if (wasUp === isUp) return [];
  const changed: Happening = { kind: 'integration', integration, to: isUp ? 'online' : 'offline' };
  return isUp ? [changed, { kind: 'hub', on: 'integration_up', integration }] : [changed];
}
