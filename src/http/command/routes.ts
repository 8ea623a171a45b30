import * as z from 'zod/mini';
import { described, limited, named, oneOf } from '#http/note/described.ts';
import type { Audit } from '#auth/audit/audit.ts';
import type { Caller } from '#auth/caller.ts';
import type { Scope } from '#auth/scope.ts';
import { HubError } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import { DIRECT } from '#core/cause/cause.ts';
import type { Command } from '#core/command/command.ts';
import type { CommandRequest } from '#core/command/command-request.ts';
import { MAX_EXPIRES_IN_S, MAX_TARGETS, MAX_TRANSITION_MS } from '#core/command/command-terms.ts';
import type { CommandService } from '#core/command/command-service.ts';
import type { Device } from '#core/device/device.ts';
import type { Room } from '#core/room/room.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import { callerOf } from '#http/rights/access.ts';
import { giveCommand, mayRequest, noDevice, type Plan } from './give.ts';
import { commandJson, commandSchema } from './json.ts';
import { dryRunQuerySchema } from './plan.ts';
import { readWishes, selectTargets } from './targets.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import { defineRoute, jsonBody, type Route, type RouteRequest } from '#http/routing/route.ts';
import { findDeviceIn, findRoomIn, type IssuedCommand, maySeeCommand, visibilityFor } from '#auth/visibility.ts';
import * as notes from './notes.ts';

export type CommandRoutesDeps = {
  readonly commands: Pick<
    CommandService,
    'accept' | 'check' | 'findReplay' | 'findCommand' | 'planUndo' | 'waitForEnd'
  >;
  readonly registry: Pick<DeviceRegistry, 'devices' | 'findDevice'>;
  readonly findRoom: (idOrSelector: string) => Room | undefined;
  readonly audit: Audit;
};

export const COMMAND_AUDIT = {
  unaudited: 'the call itself notes commands to locks, alarms and valves, before it waits for their end',
};
export const requestedValuesSchema = limited({ minProperties: 1 }, z.record(z.string(), z.unknown()));
const requestFields = {
  set: described(
    'By keys of features: the value that each gets, such as `{"on": true, "brightness": 60}`.',
    z.optional(requestedValuesSchema),
  ),
  do: described(
    'In place of `set`: the key of an action of the device, such as `identify`, or `toggle` (`left.toggle`), which turns a switch to what it is not.',
    z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  ),
  transition_ms: described(
    'Milliseconds in which lamps fade to it; by default as the device does it.',
    z.optional(z.int().check(z.gte(0), z.lte(MAX_TRANSITION_MS))),
  ),
  expires_in: described(
    'Seconds for which the command waits for a device that sleeps; by default 300, and 30 for locks, valves, garages and alarms.',
    z.optional(z.int().check(z.gte(1), z.lte(MAX_EXPIRES_IN_S))),
  ),
};
const commandRequestSchema = named('CommandRequest', limited(oneOf('set', 'do'), z.strictObject(requestFields)));
const selectorSchema = z.string().check(z.minLength(1), z.maxLength(200));
const targetsSchema = named(
  'CommandTargets',
  limited(
    { minProperties: 1 },
    z.strictObject({
      devices: described(
        'Ids or selectors of devices, each of which must be able to do all of it.',
        z.optional(z.array(selectorSchema).check(z.minLength(1), z.maxLength(MAX_TARGETS))),
      ),
      room: described('Id or selector of a room: all devices in it that can do all of it.', z.optional(selectorSchema)),
    }),
  ),
);
const wishSchema = named(
  'CommandWish',
  limited(
    oneOf('set', 'do'),
    z.strictObject({
      device: described('Id or selector of the device.', selectorSchema),
      ...z.omit(commandRequestSchema, { expires_in: true }).shape,
    }),
  ),
);
export const targetedCommandSchema = named(
  'TargetedCommandRequest',
  limited(
    {
      if: { required: ['wishes'] },
      else: { required: ['targets'], ...oneOf('set', 'do') },
    },
    described(
      'Either `targets` with one of `set` and `do`, or `wishes` without any of them.',
      z.strictObject({
        targets: described('The devices that get the same `set` or `do`.', z.optional(targetsSchema)),
        ...requestFields,
        wishes: described(
          'In place of `targets`, `set` and `do`: values for each device, which go out in this order.',
          z.optional(z.array(wishSchema).check(z.minLength(1), z.maxLength(MAX_TARGETS))),
        ),
      }),
    ),
  ),
);
type TargetedBody = z.infer<typeof targetedCommandSchema>;
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
      query: dryRunQuerySchema,
      body: jsonBody(commandRequestSchema),
      answers: commandAnswers,
      audit: COMMAND_AUDIT,
      handle: (request) => commandDevice(deps, request, request.query.dry_run),
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
      query: dryRunQuerySchema,
      // Each device of a command for 200 has a wish of its own.
      body: { ...jsonBody(targetedCommandSchema), maxMembers: 4_000 },
      answers: commandAnswers,
      audit: COMMAND_AUDIT,
      handle: (request) => {
        const { body, query } = request;
        return giveCommand(deps, request, {
          isDryRun: query.dry_run,
          wholeRequest: body,
          plan: () => ({ ...timesFrom(body), requests: requestsFrom(deps, callerOf(request), body), isForOne: false }),
        });
      },
    }),
    defineRoute({
      id: 'undoCommand',
      method: 'POST',
      path: '/api/v1/command/:id/undo',
      summary: 'Undo a command',
      tag: 'Command',
      note: notes.undoCommand,
      access: 'device:control',
      ration: 'command',
      answers: commandAnswers,
      audit: COMMAND_AUDIT,
      handle: (request) => {
        const id = request.params['id'] ?? '';
        return giveCommand(deps, request, { wholeRequest: { undo: id }, plan: () => undoPlan(deps, request) });
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
        return { status: 200, json: commandJson(findCommand(deps, request, 'device:read')) };
      },
    }),
  ];
}

/** The command in the path, if the caller may see it with this right. */
function findCommand(
  { commands, registry }: CommandRoutesDeps,
  request: RouteRequest<unknown, unknown>,
  right: Scope,
): Command {
  const command = commands.findCommand(request.params['id'] ?? '');
  const how = { right, findDevice: registry.findDevice };
  if (command === undefined || !maySeeCommand(callerOf(request), issuedCommand(command), how)) {
    throw new HubError('NOT_FOUND', 'There is no such command.');
  }
  return command;
}

function undoPlan(deps: CommandRoutesDeps, request: RouteRequest<unknown, unknown>): Plan {
  const command = findCommand(deps, request, 'device:control');
  const undo = deps.commands.planUndo(command);
  const { seesDevice } = visibilityFor(callerOf(request), 'device:control');
  for (const device of undo.requests.keys()) if (!seesDevice(device)) throw noDevice();
  const cause = { ...DIRECT, command: command.id };
  return { ...undo, isForOne: command.isForOne, transitionMs: null, expiresInS: null, cause };
}

/** Answers a command to the device in the path. */
export async function commandDevice(
  deps: CommandRoutesDeps,
  request: RouteRequest<unknown, CommandBody>,
  isDryRun?: boolean,
): Promise<RouteAnswer> {
  const { body } = request;
  const findDevice = findDeviceIn(visibilityFor(callerOf(request), 'device:control'), deps.registry.findDevice);
  const device = findDevice(request.params['selector'] ?? '');
  if (device === undefined) throw noDevice();
  return giveCommand(deps, request, {
    isDryRun,
    wholeRequest: { device: device.id, ...body },
    plan: () => ({ ...timesFrom(body), requests: new Map([[device, commandRequestFrom(body)]]), isForOne: true }),
  });
}

type Times = Pick<CommandBody, 'transition_ms' | 'expires_in'>;

function timesFrom({ transition_ms, expires_in }: Times): Pick<Plan, 'transitionMs' | 'expiresInS'> {
  return { transitionMs: transition_ms ?? null, expiresInS: expires_in ?? null };
}

/** The request to each device: the same for all targets, or one of its own. */
function requestsFrom(
  deps: CommandRoutesDeps,
  caller: Caller,
  body: TargetedBody,
): ReadonlyMap<Device, CommandRequest> {
  const home = homeFor(caller, deps);
  if (body.wishes !== undefined) return readWishes(home.findDevice, body);
  const commandRequest = commandRequestFrom(body);
  const mayCommand = (device: Device): boolean => mayRequest(caller, device, commandRequest);
  const targets = selectTargets({ ...home, mayCommand }, body.targets ?? {}, commandRequest);
  return new Map(targets.map((device) => [device, commandRequest]));
}

function commandRequestFrom(body: CommandBody): CommandRequest {
  // The body was parsed as JSON, so each value is JSON.
  return { set: body.set as JsonObject | undefined, do: body.do };
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
