import * as z from 'zod/mini';
import { canCaller } from '#auth/caller.ts';
import type { Scope } from '#auth/scope.ts';
import type { Clock } from '#base/time/clock.ts';
import { HubError, requireThing } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import type { Device } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import { isMeasureWord } from '#core/feature/measures.ts';
import { asOfNow, callerOf, insufficientScope } from '#http/rights/access.ts';
import { eventPageSchemas } from '#http/event/page.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import { defineRoute, jsonBody, mergePatchBody, type Route, type RouteRequest } from '#http/routing/route.ts';
import { findDeviceIn, visibilityFor } from '#auth/visibility.ts';
import { COMMAND_AUDIT, commandAnswers, commandDevice, type CommandRoutesDeps } from '#http/command/routes.ts';
import { type EventRoutesDeps, listenerOf } from '#http/event/routes.ts';
import { described, named } from '#http/note/described.ts';
import { featureJson, featureSchema } from '#http/device/json.ts';
import { occurrenceSchema } from './json.ts';
import * as notes from './notes.ts';
import type { DeviceRoutesDeps } from '#http/device/routes.ts';

const featureUpdateSchema = named(
  'FeatureUpdate',
  z.strictObject({
    capability: described(
      'A word of the vocabulary for a number that only reports, such as `energy` or `power`; `null` takes back what was said.',
      z.nullable(
        z.string().check(z.refine(isMeasureWord, 'is no word of the vocabulary for a number that only reports')),
      ),
    ),
    unit: described(
      'In which the device sends it; if absent, its own, or that of the word.',
      z.optional(z.nullable(z.string().check(z.maxLength(40)))),
    ),
  }),
);

const PATH = '/api/v1/device/:selector/feature/:key';
const querySchema = z.strictObject({
  wait: described('Seconds to wait for a change.', z.optional(z.int().check(z.gte(0), z.lte(60)))),
});
type Query = z.infer<typeof querySchema>;

type FeatureRoutesDeps = EventRoutesDeps &
  CommandRoutesDeps &
  Pick<Clock, 'monotonicMs'> & { readonly registry: Pick<DeviceRoutesDeps['registry'], 'updateDevice'> };

/** One value as a resource of its own, for the Web of Things and for scripts of one line. */
export function featureRoutes(deps: FeatureRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'getFeatureValue',
      method: 'GET',
      path: PATH,
      summary: 'Show the value of one feature, now or when it changes',
      tag: 'Device',
      note: notes.getFeatureValue,
      access: 'device:read',
      query: querySchema,
      answers: { 200: z.unknown() },
      handle: async (request) => {
        const { feature, value } = featureOf(deps, request);
        const waitS = request.isHead ? 0 : (request.query.wait ?? 0);
        if (waitS === 0) return valueAnswer(value);
        if (!canCaller(callerOf(request), 'event:read')) throw insufficientScope('event:read');
        return valueAnswer(await nextValue(deps, request, { feature, value, waitMs: waitS * 1000 }));
      },
    }),
    defineRoute({
      id: 'setFeatureValue',
      method: 'PUT',
      path: PATH,
      summary: 'Set the value of one feature',
      tag: 'Device',
      note: notes.setFeatureValue,
      access: 'device:control',
      ration: 'command',
      body: jsonBody(z.unknown()),
      answers: commandAnswers,
      audit: COMMAND_AUDIT,
      handle: async (request) => {
        const set = { [request.params['key'] ?? '']: request.body };
        try {
          return await commandDevice(deps, { ...request, body: { set } });
        } catch (cause) {
          throw cause instanceof HubError ? withOwnPointers(cause) : cause;
        }
      },
    }),
    measureRoute(deps),
  ];
}

function measureRoute(deps: FeatureRoutesDeps): Route {
  return defineRoute({
    id: 'updateFeature',
    method: 'PATCH',
    path: PATH,
    summary: 'Say what a number measures',
    tag: 'Device',
    note: notes.updateFeature,
    access: 'device:manage',
    body: mergePatchBody(featureUpdateSchema),
    answers: { 200: featureSchema },
    audit: { unaudited: 'everybody who sees the device sees what a number measures, as they see its name' },
    handle: async (request) => {
      const { device, feature } = featureOf(deps, request, 'device:manage');
      const { capability, unit } = request.body;
      const measure = {
        key: feature.key,
        capability: capability !== null && isMeasureWord(capability) ? capability : null,
        unit,
      };
      const authorize = (): void => void featureOf(deps, asOfNow(request), 'device:manage');
      const changed = await deps.registry.updateDevice(device.id, { measure }, { authorize });
      const now = changed.features.find(({ key }) => key === feature.key) ?? feature;
      return { status: 200, json: featureJson(now, changed) };
    },
  });
}

type Found = { readonly device: Device; readonly feature: Feature; readonly value: JsonValue };

type Asked = Pick<RouteRequest<unknown, unknown>, 'params' | 'caller'>;

function featureOf({ registry }: FeatureRoutesDeps, request: Asked, right: Scope = 'device:read'): Found {
  const findDevice = findDeviceIn(visibilityFor(callerOf(request), right), registry.findDevice);
  const device = requireThing(findDevice(request.params['selector'] ?? ''), 'device');
  const feature = device.features.find(({ key }) => key === request.params['key']);
  if (feature === undefined) throw new HubError('NOT_FOUND', 'This device has no such feature.');
  return { device, feature, value: device.states.get(feature.key)?.value ?? null };
}

function valueAnswer(value: JsonValue): RouteAnswer {
  const bytes = Buffer.from(JSON.stringify(value));
  return { status: 200, bytes, headers: { 'Content-Type': 'application/json' } };
}

type Waiting = { readonly feature: Feature; readonly value: JsonValue; readonly waitMs: number };

/**
 * Resolves with the value once it changes, or with the present value when the wait is over. An event feature has no
 * value: it gives the occurrence, or `null` if there was none.
 */
async function nextValue(
  deps: FeatureRoutesDeps,
  request: RouteRequest<Query, unknown>,
  { feature, value, waitMs }: Waiting,
): Promise<JsonValue> {
  const { eventStreams } = deps;
  const isEvent = feature.kind === 'event';
  const types = isEvent ? (['feature.occurred'] as const) : (['feature.changed', 'device.changed'] as const);
  const listener = listenerOf(deps, request, { types: [...types], device: [request.params['selector'] ?? ''] });
  const signal = request.signal();
  const startMs = deps.monotonicMs();
  eventStreams.makeRoomFor(listener.owner, 'poll');
  let cursor: string | undefined;
  for (let leftMs = waitMs; leftMs > 0 && !signal.aborted; leftMs = startMs + waitMs - deps.monotonicMs()) {
    const text = await eventStreams.poll({ ...listener, signal }, { cursor, limit: 100, waitMs: leftMs });
    const page = z.parse(eventPageSchemas().poll, JSON.parse(text));
    cursor = page.cursor;
    // A caller that may not see the device any more gets no answer.
    const found = featureOf(deps, asOfNow(request));
    if (isEvent) {
      const occurrence = findOccurrence(page.events, feature.key);
      if (occurrence !== undefined) return occurrence;
    } else if (JSON.stringify(found.value) !== JSON.stringify(value)) return found.value;
  }
  return isEvent ? null : featureOf(deps, asOfNow(request)).value;
}

function findOccurrence(events: readonly { readonly data: unknown }[], key: string): JsonValue | undefined {
  for (const { data } of events) {
    const occurred = z.safeParse(occurrenceSchema, data);
    if (occurred.success && occurred.data.feature.key === key) return occurred.data.occurrence as JsonValue;
  }
  return undefined;
}

/** The body is the value itself, so pointers of errors start at its root and not at `/set/{key}`. */
function withOwnPointers(error: HubError): HubError {
  const { errors, ...options } = error.options;
  if (errors === undefined) return error;
  const own = errors.map((one) => ({ ...one, pointer: one.pointer.replace(/^\/set(?:\/[^/]*)?/, '') }));
  return new HubError(error.code, error.message, { ...options, errors: own });
}
