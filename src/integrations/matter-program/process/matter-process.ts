import { Logger, LogLevel } from '@matter/main';
import type { FromController, ToController } from '#integrations/matter/controller-message.ts';
import type { FromNode, ToNode } from '#integrations/matter-bridge/node-message.ts';
import { createBridgeRole } from '#integrations/matter-program/bridge/bridge-role.ts';
import { createControllerRole } from '#integrations/matter-program/controller/controller-role.ts';
import { createHubChannel, type Role } from './hub-channel.ts';

/*
 * What speaks Matter: a process of its own, because the library needs more memory than all of the hub. Its first message
 * says what it is to be. It ends with the channel to the hub.
 */

const channel = createHubChannel<FromNode | FromController>((message) => {
  if (process.connected) process.send?.(message);
});
let role: Role<ToNode | ToController> | undefined;

function roleOf(message: ToNode | ToController): Role<ToNode | ToController> | undefined {
  if (message.type !== 'start') return undefined;
  // The hub says to each role only what is for it.
  return (message.role === 'bridge' ? createBridgeRole(channel) : createControllerRole(channel)) as Role<object>;
}

function onMessage(message: ToNode | ToController): void {
  // What others wait for in their turn must not wait for its own.
  if (message.type === 'kept') return channel.takeKept(message.seq, message.isKept);
  role ??= roleOf(message);
  role?.onMessage(message);
  return undefined;
}

Logger.level = LogLevel.ERROR;
// The library has promises that nobody awaits: one that fails must not end the process.
process.on('unhandledRejection', (cause) => channel.fault('a task of the library failed', cause));
process.on('message', onMessage);
// The hub has gone, or this was the last thing to do: sockets and timers of the library would keep the process.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
