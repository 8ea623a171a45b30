import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { type Caller, canCaller, visibilityKey } from '#auth/caller.ts';
import type { Scope } from '#auth/scope.ts';
import { HubError, fieldError, requireThing } from '#base/hub-error.ts';
import type { AuthorizedTerms } from '#core/records/change-terms.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { Room } from '#core/room/room.ts';
import type { DeviceRegistry, DeviceUpdate } from '#core/device/device-registry.ts';
import { asOfNow, callerOf, insufficientScope, sessionNeeded } from '#http/rights/access.ts';
import { chooseCoding } from '#http/answer/content-coding.ts';
import { deviceSchema, deviceUpdateSchema } from './json.ts';
import { deviceValuesJson } from './values-json.ts';
import type { DeviceList } from './list.ts';
import { deviceQuerySchema, isWholeList, selectDevices, viewSchema } from './query.ts';
import type { DevicePage, DeviceQuery } from './query.ts';
import { contentTag } from '#base/content/content-tag.ts';
import { isNotModified, requiredRevision } from '#http/answer/entity-tag.ts';
import { type Resource, showResource, showIfChanged } from '#http/answer/resource.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import { defineRoute, mergePatchBody, type Route, type RouteRequest } from '#http/routing/route.ts';
import { findDeviceIn, visibilityFor } from '#auth/visibility.ts';
import { thingDescription } from './thing-description.ts';
import { marksIn, updateFrom } from './update.ts';
import { described } from '#http/note/described.ts';
import * as notes from './notes.ts';
import { faultWords } from '#words/faults.ts';

export type DeviceRoutesDeps = {
  readonly registry: Pick<DeviceRegistry, 'devices' | 'findDevice' | 'requireRevision'> & {
    readonly updateDevice: (id: DeviceId, change: DeviceUpdate, terms: AuthorizedTerms<Device>) => Promise<Device>;
  };
  readonly list: DeviceList;
  readonly findRoom: (idOrSelector: string) => Room | undefined;
  /** Position in the event stream that the present state of the registry reflects. */
  readonly eventCursor: () => string;
  /** Removes it from its integration, if that can do it, then here. Throws HubError, such as DEVICE_OFFLINE without `force`. */
  readonly removeDevice: (device: Device, removal: DeviceRemoval) => Promise<void>;
};
export type DeviceRemoval = Pick<AuthorizedTerms<Device>, 'authorize'> & {
  readonly force: boolean;
  /** Its history goes too. Once the device is gone that is done in the end, whatever fails. */
  readonly forgets?: boolean;
};

const removalQuerySchema = z.strictObject({
  force: described('Remove it even if it no longer answers.', z.optional(z.boolean())),
  history: described(
    '`delete`: what was recorded of it is deleted too, for an owner who is logged in. Kept if absent.',
    z.optional(z.enum(['keep', 'delete'])),
  ),
});

const PATH = '/api/v1/device';
const ONE = '/api/v1/device/:selector';
/** For the list: its bytes depend on what the client can decode. */
const VARY = 'Origin, Accept-Encoding';
/** The devices of the home: list, show, rename, move, remove. */
export function deviceRoutes(deps: DeviceRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'listDevices',
      method: 'GET',
      path: PATH,
      summary: 'List the devices by name',
      tag: 'Device',
      note: notes.listDevices,
      access: 'device:read',
      query: deviceQuerySchema,
      answers: { 200: z.array(deviceSchema), 304: null },
      handle: (request) => listDevices(deps, request),
    }),
    defineRoute({
      id: 'getDevice',
      method: 'GET',
      path: ONE,
      summary: 'Show one device',
      tag: 'Device',
      note: notes.getDevice,
      access: 'device:read',
      query: z.strictObject({ view: viewSchema }),
      answers: { 200: deviceSchema, 304: null },
      handle: (request) => {
        const device = deviceOf(deps, request, 'device:read');
        const whole = deviceResource(deps, device);
        if (request.query.view === undefined) return showIfChanged(whole, request.header);
        const content = () => ({ json: deviceValuesJson(device, deps.findRoom) });
        return showIfChanged({ ...whole, content }, request.header);
      },
    }),
    defineRoute({
      id: 'updateDevice',
      method: 'PATCH',
      path: ONE,
      summary: 'Rename a device, move it to a room or mark it',
      tag: 'Device',
      note: notes.updateDevice,
      access: 'device:manage',
      body: mergePatchBody(deviceUpdateSchema),
      answers: { 200: deviceSchema },
      audit: ({ body }, { auditDetail: detail }) =>
        body.sensitive === undefined && body.all_off === undefined ? undefined : { type: 'device.marked', detail },
      handle: async (request) => {
        const device = deviceOf(deps, request, 'device:manage');
        const ifRevision = requiredRevision(request.header('if-match'), device.revision);
        const update = updateFrom(deps, request, device);
        const authorize = (): void => {
          const now = asOfNow(request);
          updateFrom(deps, now, deviceOf(deps, now, 'device:manage'));
        };
        const changed = await deps.registry.updateDevice(device.id, update, { ifRevision, authorize });
        const auditDetail = [changed.selector, ...marksIn(request.body)].join(' ');
        return { ...showResource(deviceResource(deps, changed)), auditDetail };
      },
    }),
    defineRoute({
      id: 'removeDevice',
      method: 'DELETE',
      path: ONE,
      summary: 'Remove a device',
      tag: 'Device',
      note: notes.removeDevice,
      access: 'device:manage',
      query: removalQuerySchema,
      answers: { 204: null },
      audit: 'device.removed',
      handle: (request) => removeDevice(deps, request),
    }),
    thingRoute(deps),
  ];
}

async function removeDevice(
  deps: DeviceRoutesDeps,
  request: RouteRequest<z.infer<typeof removalQuerySchema>, unknown>,
): Promise<RouteAnswer> {
  const device = deviceOf(deps, request, 'device:manage');
  const revision = requiredRevision(request.header('if-match'), device.revision);
  if (revision !== undefined) await deps.registry.requireRevision(device.id, revision);
  const forgets = request.query.history === 'delete';
  const authorize = (): void => {
    const now = asOfNow(request);
    deviceOf(deps, now, 'device:manage');
    if (forgets) refuseForgetting(callerOf(now));
  };
  authorize();
  await deps.removeDevice(device, { force: request.query.force ?? false, forgets, authorize });
  return { status: 204, auditDetail: forgets ? `${device.selector} with its history` : device.selector };
}

/** Refuses a caller who may not delete history, because nobody can bring back what is forgotten. */
function refuseForgetting(caller: Caller): void {
  if (!canCaller(caller, 'system:manage')) throw insufficientScope('system:manage', ' to delete history');
  if (!canCaller(caller, 'session')) throw sessionNeeded();
}

function thingRoute(deps: DeviceRoutesDeps): Route {
  return defineRoute({
    id: 'getThingDescription',
    method: 'GET',
    path: `${ONE}/td`,
    summary: 'Show a device as a W3C Thing Description',
    tag: 'Device',
    note: notes.getThingDescription,
    access: 'device:read',
    answers: { 200: null, 304: null },
    handle: (request) => {
      const device = deviceOf(deps, request, 'device:read');
      const bytes = Buffer.from(JSON.stringify(thingDescription(device, `http://${request.header('host') ?? ''}`)));
      const content = { bytes, headers: { 'Content-Type': 'application/td+json' } };
      return showIfChanged({ etag: contentTag(bytes), content: () => content }, request.header);
    },
  });
}

type AskedDevice = Pick<RouteRequest<unknown, unknown>, 'params' | 'caller'>;

function deviceOf({ registry }: DeviceRoutesDeps, request: AskedDevice, right: Scope): Device {
  const findDevice = findDeviceIn(visibilityFor(callerOf(request), right), registry.findDevice);
  return requireThing(findDevice(request.params['selector'] ?? ''), 'device');
}

function listDevices(
  deps: DeviceRoutesDeps,
  request: RouteRequest<DeviceQuery, unknown>,
  isPrepared = false,
): RouteAnswer | Promise<RouteAnswer> {
  const { query } = request;
  const { list, registry } = deps;
  if (query.view !== undefined && query.fields !== undefined) throw viewWithFields();
  const caller = callerOf(request);
  const seesAll = canCaller(caller, 'device:read', 'home');
  const isWhole = seesAll && isWholeList(query);
  // A part of the list serves one request: compressing it would cost more than it saves.
  const coding = isWhole ? chooseCoding(request.header('accept-encoding')) : undefined;
  const part = `${isWhole ? '' : `-${hashOf(query)}`}${coding === undefined ? '' : `-${coding}`}`;
  const etag = `"${list.version()}-${visibilityKey(caller)}${part}"`;
  const known = { ETag: etag, 'Cache-Control': 'private, no-cache', 'Event-Cursor': deps.eventCursor(), Vary: VARY };
  if (isNotModified(request.header('if-none-match'), etag)) return { status: 304, headers: known };
  // A page is small enough to make at once, and an answer with some fields keeps nothing.
  const isPart = [query.limit, query.fields, query.view].some((one) => one !== undefined);
  const preparing = isPrepared || isPart ? undefined : list.prepare();
  if (preparing !== undefined) return preparing.then(() => listDevices(deps, asOfNow(request), true));
  const page: DevicePage = isWhole
    ? { devices: registry.devices(), total: registry.devices().length }
    : selectDevices(seesAll ? registry.devices() : devicesFor(caller, deps), query, deps.findRoom);
  // Spreading costs microseconds here, and this is the call that every client makes most.
  const headers: Record<string, string> = known;
  headers['Content-Type'] = 'application/json';
  headers['X-Total-Count'] = String(page.total);
  if (page.nextCursor !== undefined) {
    headers['Link'] = `<${nextTarget(request.target, page.nextCursor)}>; rel="next"`;
  }
  if (query.view !== undefined) {
    return list.valueBytes(page.devices).then((ready) => ({ status: 200, bytes: ready, headers }));
  }
  if (query.fields !== undefined) {
    return list.fieldBytes(page.devices, query.fields).then((ready) => ({ status: 200, bytes: ready, headers }));
  }
  if (!isWhole) return { status: 200, bytes: list.bytesOf(page.devices), headers };
  if (coding === undefined) return { status: 200, bytes: list.allBytes(), headers };
  headers['Content-Encoding'] = coding;
  const bytes = list.allCompressed(coding);
  return bytes instanceof Promise
    ? bytes.then((ready) => ({ status: 200, bytes: ready, headers }))
    : { status: 200, bytes, headers };
}

function viewWithFields(): HubError {
  return new HubError('INVALID_QUERY', 'A view has fields of its own.', {
    errors: [fieldError('?fields', 'INVALID_VALUE', ...faultWords('not_combined', { other: 'view' }))],
  });
}

function devicesFor(caller: Caller, { registry }: DeviceRoutesDeps): readonly Device[] {
  return registry.devices().filter(visibilityFor(caller, 'device:read').seesDevice);
}

/** Hashes the parsed query, so that two spellings of one query share an ETag. */
function hashOf(query: DeviceQuery): string {
  return createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, 12);
}

function nextTarget(target: string, cursor: string): string {
  const next = new URLSearchParams(target.slice(target.indexOf('?') + 1));
  next.set('cursor', cursor);
  return `${PATH}?${next.toString()}`;
}

function deviceResource({ list, eventCursor }: DeviceRoutesDeps, device: Device): Resource {
  return {
    // The revision comes first, so that the whole tag works in If-Match too.
    etag: `"${device.revision}-${list.deviceVersion(device)}"`,
    headers: { 'Event-Cursor': eventCursor() },
    content: () => ({ bytes: list.deviceBytes(device), headers: { 'Content-Type': 'application/json' } }),
  };
}
