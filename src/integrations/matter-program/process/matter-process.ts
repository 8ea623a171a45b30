import { Logger, LogLevel, StandardTime, Time, Timestamp } from '@matter/main';
import { createBridgeRole } from '#integrations/matter-program/bridge/bridge-role.ts';
import { createControllerRole } from '#integrations/matter-program/controller/controller-role.ts';
import type { FromProgram, ToProgram } from '#integrations/ports.ts';
import { createHubChannel, type HubChannel, type Role, wordsOf } from './hub-channel.ts';

/*
 * What speaks Matter: a process of its own, because the library needs more memory than all of the hub. It is a bridge, a
 * controller, or both. It ends with the channel to the hub.
 */

/** A part from its first message to its last. */
type Part = { readonly role: Role<object>; readonly channel: HubChannel<object> };

/** The messages to both roles that this file itself looks at. */
type Said = { readonly type: 'kept'; readonly seq: number; readonly isKept: boolean } | { readonly type: 'start' };

/**
 * The library measures how long things take by the clock of the machine, and ends the process where that goes back by
 * more than a timer can wait. Dates that others see still come from that clock.
 */
class SteadyTime extends StandardTime {
  override get nowMs() {
    return Timestamp(Math.floor(this.nowUs));
  }
}

const parts = new Map<string, Part>();
let lastSeq = 0;

function send(message: FromProgram): void {
  if (process.connected) process.send?.(message);
}

function beginPart(name: string): Part {
  const isOpen = (): boolean => parts.get(name)?.channel === channel;
  const channel = createHubChannel<object>({
    send: (message) => {
      if (isOpen()) send({ part: name, message });
    },
    // No number is given twice, so that an answer to an earlier part is none to a later one.
    nextSeq: () => (lastSeq += 1),
  });
  // The hub says to each role only what is for it.
  const role = (name === 'bridge' ? createBridgeRole(channel) : createControllerRole(channel)) as Role<object>;
  const part = { role, channel };
  parts.set(name, part);
  return part;
}

async function endPart(name: string): Promise<void> {
  await parts.get(name)?.role.close();
  parts.delete(name);
  send({ part: name, isEnded: true });
}

function sayFault(what: string, cause: unknown): void {
  send({ fault: `${what}: ${wordsOf(cause)}` });
}

function onMessage(said: ToProgram): void {
  if ('isPing' in said) return send({ isPong: true });
  if ('isEnd' in said) {
    // The hub kills what does not end.
    endPart(said.part).catch((cause: unknown) => sayFault(`the end of ${said.part}`, cause));
    return;
  }
  const { role, channel } = parts.get(said.part) ?? beginPart(said.part);
  const message = said.message as Said;
  // What others wait for in their turn must not wait for its own.
  if (message.type === 'kept') channel.takeAnswer(message);
  else role.onMessage(message);
}

Logger.level = LogLevel.ERROR;
Time.default = new SteadyTime();
// The library has promises that nobody awaits: one that fails must not end the process.
process.on('unhandledRejection', (cause) => sayFault('a promise of the library', cause));
process.on('message', onMessage);
// The hub has gone: sockets and timers of the library would keep the process.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
