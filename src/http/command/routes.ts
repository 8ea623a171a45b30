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
  unaudited: 'the call itself notes commands to locks, alarms and valves, before it waits for their end',
};
/** Values by feature key. */
export const requestedValuesSchema = z.record(z.string(), z.unknown());
const requestFields = {
  set: z.optional(requestedValuesSchema),
  /** Key of an action, or `toggle`. */
  do: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  transition_ms: z.optional(z.int().check(z.gte(0), z.lte(MAX_TRANSITION_MS))),
  /** Seconds for which the command may wait for a sleeping device. */
  expires_in: z.optional(z.int().check(z.gte(1), z.lte(MAX_EXPIRES_IN_S))),
};
export const commandRequestSchema = z.strictObject(requestFields);
const selectorSchema = z.string().check(z.minLength(1), z.maxLength(200));
export const targetsSchema = z.strictObject({
  /** Ids or selectors. */
  devices: z.optional(z.array(selectorSchema).check(z.minLength(1), z.maxLength(MAX_TARGETS))),
  /** Id or selector of a room: means all devices in it that have the requested features. */
  room: z.optional(selectorSchema),
});
export const targetedCommandSchema = z.strictObject({ targets: targetsSchema, ...requestFields });
type CommandBody = z.infer<typeof commandRequestSchema>;
export const commandAnswers = { 200: commandSchema, 202: commandSchema };

/** The calls that command devices and show the outcome. */
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
        const mayCommand = (device: Device): boolean => mayRequest(callerOf(request), device, commandRequest);
        const devices = (): readonly Device[] => {
          const selected = selectTargets({ ...homeFor(callerOf(request), deps), mayCommand }, targets, commandRequest);
          const refused = selected.find((device) => !mayCommand(device));
          if (refused !== undefined) throw sensitive(refused);
          return selected;
        };
        return giveCommand(deps, request, { wholeRequest: request.body, devices });
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

/** Answers a command to the device in the path. */
export async function commandDevice(
  deps: CommandRoutesDeps,
  request: RouteRequest<unknown, CommandBody>,
): Promise<RouteAnswer> {
  const caller = callerOf(request);
  const findDevice = findDeviceIn(visibilityFor(caller, 'device:control'), deps.registry.findDevice);
  const device = findDevice(request.params['selector'] ?? '');
  if (device === undefined) throw noDevice();
  if (!mayRequest(caller, device, commandRequestFrom(request.body))) throw sensitive(device);
  const wholeRequest = { device: device.id, ...request.body };
  return giveCommand(deps, request, { wholeRequest, devices: () => [device] });
}

type Targeted = {
  /** All that makes a request the same as an earlier one with its Idempotency-Key. */
  readonly wholeRequest: object;
  /** Called unless the request repeats an earlier one. */
  readonly devices: () => readonly Device[];
};

/** Answers a repeated request with the command of the first one, even if the home has changed since. */
async function giveCommand(
  deps: CommandRoutesDeps,
  request: RouteRequest<unknown, CommandBody>,
  { wholeRequest, devices }: Targeted,
): Promise<RouteAnswer> {
  const { commands } = deps;
  const { body, header } = request;
  const caller = callerOf(request);
  const replay = replayOf(header('idempotency-key'), caller, wholeRequest);
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
  // If the client goes away meanwhile, the command still runs.
  const noted = known === undefined ? noteSensitive(deps, request, accepted) : undefined;
  const [command] = await Promise.all([commands.waitForEnd(accepted, waitMs), noted]);
  const json = commandJson(command);
  if (isFinished(command)) return { status: 200, json, headers: applied };
  return { status: 202, json, headers: { ...applied, Location: `/api/v1/command/${command.id}` } };
}

function commandRequestFrom(body: CommandBody): CommandRequest {
  // The body was parsed as JSON, so each value is JSON.
  return { set: body.set as JsonObject | undefined, do: body.do };
}

function mayRequest(caller: Caller, device: Device, request: CommandRequest): boolean {
  if (canCaller(caller, 'device:control_sensitive', { device })) return true;
  return !isSensitiveRequest(device, requestedKeys(request));
}

/** Holds the caller but not the request with its socket, because a command may wait hours for a sleeping device. */
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

/** The devices and rooms that the caller may command. */
function homeFor(caller: Caller, { registry, findRoom }: CommandRoutesDeps) {
  const visibility = visibilityFor(caller, 'device:control');
  return {
    devices: () => (visibility.isWhole ? registry.devices() : registry.devices().filter(visibility.seesDevice)),
    findDevice: findDeviceIn(visibility, registry.findDevice),
    findRoom: findRoomIn(visibility, findRoom),
  };
}
