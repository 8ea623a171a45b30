import { z } from 'zod/mini';
import type { Audit } from '#auth/audit/audit.ts';
import { type Caller, callerId, canCaller } from '#auth/caller.ts';
import { HubError } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import { type Command, isFinished } from '#core/command/command.ts';
import {
  type CommandRequest,
  MAX_EXPIRES_IN_S,
  MAX_TARGETS,
  MAX_TRANSITION_MS,
  requestedKeys,
} from '#core/command/command-request.ts';
import type { CommandService } from '#core/command/command-service.ts';
import type { Device } from '#core/device/device.ts';
import type { Room } from '#core/room/room.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import { isSensitiveRequest } from '#core/device/sensitive.ts';
import { callerOf, insufficientScope } from '#http/rights/access.ts';
import { noteSensitive } from './audit.ts';
import { commandJson, commandSchema } from './json.ts';
import { selectTargets } from './targets.ts';
import { preferredWait, replayOf } from './headers.ts';
import { defineRoute, jsonBody, type Route, type RouteAnswer, type RouteRequest } from '#http/routing/route.ts';
import { findDeviceIn, findRoomIn, type IssuedCommand, maySeeCommand, visibilityFor } from '#auth/visibility.ts';
import * as notes from './notes.ts';

export type CommandRoutesDeps = {
  readonly commands: Pick<CommandService, 'accept' | 'findReplay' | 'findCommand' | 'waitForEnd'>;
  readonly registry: Pick<DeviceRegistry, 'devices' | 'findDevice'>;
  readonly findRoom: (idOrSelector: string) => Room | undefined;
  readonly audit: Audit;
};

export const COMMAND_AUDIT = {
  unaudited: 'it notes what it gives to locks, alarms and valves itself, before it waits for their end',
};
/** Values by feature key. */
export const requestedValuesSchema = z.record(z.string(), z.unknown());
const requestFields = {
  set: z.optional(requestedValuesSchema),
  /** Key of an action, or `toggle`. */
  do: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  transition_ms: z.optional(z.int().check(z.gte(0), z.lte(MAX_TRANSITION_MS))),
  /** Seconds that it may wait for a device that sleeps. */
  expires_in: z.optional(z.int().check(z.gte(1), z.lte(MAX_EXPIRES_IN_S))),
};
export const commandRequestSchema = z.strictObject(requestFields);
const selectorSchema = z.string().check(z.minLength(1), z.maxLength(200));
export const targetsSchema = z.strictObject({
  /** Ids or selectors. */
  devices: z.optional(z.array(selectorSchema).check(z.minLength(1), z.maxLength(MAX_TARGETS))),
  /** Id or selector: all devices in it that have what the request is about. */
  room: z.optional(selectorSchema),
});
export const targetedCommandSchema = z.strictObject({ targets: targetsSchema, ...requestFields });
type CommandBody = z.infer<typeof commandRequestSchema>;
export const commandAnswers = { 200: commandSchema, 202: commandSchema };

/** Telling devices what to do, and what became of it. */
export function commandRoutes(deps: CommandRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'commandDevice',
      method: 'POST',
      path: '/api/v1/device/:selector/command',
      summary: 'Command a device',
      tag: 'Device',
      note: notes.commandDevice,
      access: 'device:control',
      ration: 'command',
      body: jsonBody(commandRequestSchema),
      answers: commandAnswers,
      audit: COMMAND_AUDIT,
      handle: (request) => commandDevice(deps, request),
    }),
    defineRoute({
      id: 'commandDevices',
      method: 'POST',
      path: '/api/v1/command',
      summary: 'Command several devices',
      tag: 'Command',
      note: notes.commandDevices,
      access: 'device:control',
      ration: 'command',
      body: jsonBody(targetedCommandSchema),
      answers: commandAnswers,
      audit: COMMAND_AUDIT,
      handle: (request) => {
        const { targets } = request.body;
        const commandRequest = commandRequestFrom(request.body);
        const mayBeAsked = (device: Device): boolean => mayRequest(callerOf(request), device, commandRequest);
        const devices = (): readonly Device[] => {
          const selected = selectTargets({ ...homeFor(callerOf(request), deps), mayBeAsked }, targets, commandRequest);
          const refused = selected.find((device) => !mayBeAsked(device));
          if (refused !== undefined) throw sensitive(refused);
          return selected;
        };
        return order(deps, request, { asked: request.body, devices });
      },
    }),
    defineRoute({
      id: 'getCommand',
      method: 'GET',
      path: '/api/v1/command/:id',
      summary: 'Show a command and its outcome',
      tag: 'Command',
      note: notes.getCommand,
      access: 'device:read',
      answers: { 200: commandSchema },
      handle: (request) => {
        const command = deps.commands.findCommand(request.params['id'] ?? '');
        const how = { right: 'device:read', findDevice: deps.registry.findDevice } as const;
        if (command === undefined || !maySeeCommand(callerOf(request), issuedCommand(command), how)) {
          throw new HubError('NOT_FOUND', 'There is no such command.');
        }
        return { status: 200, json: commandJson(command) };
      },
    }),
  ];
}

/** Answers a command to the device that the path names. */
export async function commandDevice(
  deps: CommandRoutesDeps,
  request: RouteRequest<unknown, CommandBody>,
): Promise<RouteAnswer> {
  const caller = callerOf(request);
  const findDevice = findDeviceIn(visibilityFor(caller, 'device:control'), deps.registry.findDevice);
  const device = findDevice(request.params['selector'] ?? '');
  if (device === undefined) throw noDevice();
  if (!mayRequest(caller, device, commandRequestFrom(request.body))) throw sensitive(device);
  return order(deps, request, { asked: { device: device.id, ...request.body }, devices: () => [device] });
}

type Asked = {
  /** All that decides whether a second request is the same one. */
  readonly asked: object;
  /** Called where it is not a repetition. */
  readonly devices: () => readonly Device[];
};

/** What is asked again is answered from what became of it the first time, whatever has changed in the home since. */
async function order(
  deps: CommandRoutesDeps,
  request: RouteRequest<unknown, CommandBody>,
  { asked, devices }: Asked,
): Promise<RouteAnswer> {
  const { commands } = deps;
  const { body, header } = request;
  const caller = callerOf(request);
  const replay = replayOf(header('idempotency-key'), caller, asked);
  const { waitMs, applied } = preferredWait(header('prefer'));
  const known = replay === null ? undefined : commands.findReplay(replay);
  const accepted =
    known ??
    commands.accept(
      {
        devices: devices(),
        isForOne: !('targets' in body),
        request: commandRequestFrom(body),
        transitionMs: body.transition_ms ?? null,
        expiresInS: body.expires_in ?? null,
        issuer: { type: caller.kind, id: callerId(caller), userId: caller.user.id },
        authorize: authorizerOf(caller, commandRequestFrom(body)),
      },
      replay,
    );
  // A client that goes away meanwhile changes nothing: its command is on its way.
  const noted = known === undefined ? noteSensitive(deps, request, accepted) : undefined;
  const [command] = await Promise.all([commands.waitForEnd(accepted, waitMs), noted]);
  const json = commandJson(command);
  if (isFinished(command)) return { status: 200, json, headers: applied };
  return { status: 202, json, headers: { ...applied, Location: `/api/v1/command/${command.id}` } };
}

function commandRequestFrom(body: CommandBody): CommandRequest {
  // Every body was read as JSON: there is nothing else in it.
  return { set: body.set as JsonObject | undefined, do: body.do };
}

function mayRequest(caller: Caller, device: Device, request: CommandRequest): boolean {
  if (canCaller(caller, 'device:control_sensitive', { device })) return true;
  return !isSensitiveRequest(device, requestedKeys(request));
}

/** For a command that waits, hours where its device sleeps: it keeps the caller, and not the request with its socket. */
function authorizerOf(caller: Caller, request: CommandRequest): (device: Device) => void {
  return (device) => {
    const now = caller.current();
    if (!canCaller(now, 'device:control', { device })) throw noDevice();
    if (!mayRequest(now, device, request)) throw sensitive(device);
  };
}

function noDevice(): HubError {
  return new HubError('NOT_FOUND', 'There is no such device.');
}

function sensitive(device: Device): HubError {
  return insufficientScope('device:control_sensitive', ` for ${device.selector}`);
}

function issuedCommand({ createdBy, results }: Command): IssuedCommand {
  return { issuer: createdBy, deviceIds: results.map(({ deviceId }) => deviceId) };
}

/** The devices and rooms that there are for who gives a command. */
function homeFor(caller: Caller, { registry, findRoom }: CommandRoutesDeps) {
  const visibility = visibilityFor(caller, 'device:control');
  return {
    devices: () => (visibility.isWhole ? registry.devices() : registry.devices().filter(visibility.seesDevice)),
    findDevice: findDeviceIn(visibility, registry.findDevice),
    findRoom: findRoomIn(visibility, findRoom),
  };
}
