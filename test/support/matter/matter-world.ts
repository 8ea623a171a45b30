import { systemClock } from '#base/time/clock.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import { createSharedPrograms } from '#hub/integration/shared-programs.ts';
import type { Integration } from '#integrations/integration.ts';
import type { FromController, ToController } from '#integrations/matter/controller-message.ts';
import { createMatter } from '#integrations/matter/matter.ts';
import type { LocalTime } from '#integrations/matter/local-time.ts';
import type { MatterNode } from '#integrations/matter/matter-node.ts';
import type { HomePort } from '#integrations/ports.ts';
import { NO_HOME } from '#test/support/kinds/no-home.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

/** The kind with a program of which the test says everything. */
export type MatterWorld = {
  readonly create: () => Integration;
  readonly lines: readonly string[];
  /** What was asked of devices. */
  readonly wire: readonly unknown[];
  /** Codes that were handed to the program. */
  readonly commissions: readonly unknown[];
  readonly say: (message: FromController) => void;
  /** What the file has, and whether it can be written. */
  readonly file: { text: string | undefined; isFull: boolean; aside: string[] };
  /** What the hub says of time and language, and who hears its events. */
  readonly local: { now: LocalTime; readonly followers: Set<Parameters<HomePort['follow']>[0]> };
  /** The program ends, and none starts until `heal`. */
  readonly kill: () => void;
  readonly heal: () => void;
  /** The program runs, and what it is for does not start by itself, or it says nothing of what it has stopped. */
  readonly start: { isHeld: boolean; isMute: boolean };
  /** How often a device that joins was stopped. */
  readonly cancels: () => number;
  readonly running: () => number;
  readonly known: Set<string>;
  /** Numbers of nodes that do not answer their farewell. */
  readonly silent: Set<string>;
  /** The disk has no room for what the program would remember of a farewell. */
  readonly disk: { isFull: boolean };
  /** Numbers of nodes about whose farewell the program says nothing. */
  readonly unanswered: Set<string>;
};

type Running = { readonly hear: (message: FromController) => void; readonly end: (why: string) => void };

export function createMatterWorld(nodes: readonly MatterNode[], startTimer = startSystemTimer): MatterWorld {
  const { log, lines } = createRecordingLog();
  const wire: unknown[] = [];
  const commissions: unknown[] = [];
  const programs = new Set<Running>();
  const held: (() => void)[] = [];
  const known = new Set<string>();
  const silent = new Set<string>();
  const disk = { isFull: false };
  const unanswered = new Set<string>();
  const local: MatterWorld['local'] = { now: NO_HOME.local(), followers: new Set() };
  const file: MatterWorld['file'] = { text: undefined, isFull: false, aside: [] };
  let isBroken = false;
  const start = { isHeld: false, isMute: false };
  let cancels = 0;
  const say = (message: FromController): void => {
    for (const { hear } of programs) hear(message);
  };
  const take = (message: ToController, own: Running): void => {
    switch (message.type) {
      case 'start': {
        const begin = (): void => {
          own.hear({ type: 'started', nodes });
          for (const node of nodes) own.hear({ type: 'node', node });
          for (const { nodeId } of nodes) own.hear({ type: 'reach', nodeId, reach: 'online' });
        };
        if (start.isHeld) return;
        if (isBroken) held.push(begin);
        else begin();
        return;
      }
      case 'ask':
        wire.push(...message.asks);
        own.hear({ type: 'answer', seq: message.seq, refusal: null });
        for (const ask of message.asks) {
          if (!('command' in ask) || ask.cluster !== 'onOff') continue;
          const value = ask.command === 'on';
          const change = { endpoint: ask.endpoint, cluster: 'onOff', attribute: 'onOff', value };
          own.hear({ type: 'changes', nodeId: message.nodeId, changes: [change] });
        }
        return;
      case 'commission':
        commissions.push(message.code);
        return;
      case 'remove': {
        if (unanswered.has(message.nodeId)) return;
        const full = { status: null, message: 'the disk is full', isDiskFull: true };
        if (disk.isFull) return own.hear({ type: 'answer', seq: message.seq, refusal: full });
        const refusal = silent.has(message.nodeId) ? { status: null, message: 'it does not answer' } : null;
        return own.hear({ type: 'answer', seq: message.seq, refusal });
      }
      case 'cancel':
        cancels += 1;
        if (start.isMute) return;
        return own.hear({ type: 'not_commissioned', fault: 'cancelled', detail: '' });
      default:
    }
  };
  return {
    lines,
    wire,
    commissions,
    say,
    file,
    local,
    known,
    silent,
    disk,
    unanswered,
    kill: () => {
      isBroken = true;
      for (const { end } of programs) end('signal SIGKILL');
    },
    heal: () => {
      isBroken = false;
      for (const begin of held.splice(0)) begin();
    },
    start,
    cancels: () => cancels,
    running: () => programs.size,
    create: () =>
      createMatter(
        { name: 'Matter', settings: { port: 5541 } },
        {
          startTimer,
          random: () => 0,
          log,
          home: {
            local: () => local.now,
            follow: (listener) => (local.followers.add(listener), () => void local.followers.delete(listener)),
          },
          lanAddresses: () => [],
          knownDevices: () => [...known],
          file: {
            read: async () => file.text,
            write: async (text) => {
              if (file.isFull) throw new Error('ENOSPC');
              file.text = text;
            },
            setAside: async () => {
              file.aside.push(file.text ?? '');
              file.text = undefined;
            },
          },
          joinProgram: createSharedPrograms({
            clock: systemClock,
            startTimer,
            random: () => 0,
            log,
            startProgram: (_name, onMessage) => {
              let finish = (_why: string): void => undefined;
              const ended = new Promise<string>((resolve) => (finish = resolve));
              const own: Running = {
                hear: (message) => {
                  if (programs.has(own)) onMessage({ part: 'controller', message: structuredClone(message) });
                },
                end: (why) => {
                  programs.delete(own);
                  finish(why);
                },
              };
              programs.add(own);
              return {
                send: (said) =>
                  queueMicrotask(() => {
                    if ('isPing' in said) onMessage({ isPong: true });
                    else if ('message' in said) take(said.message as ToController, own);
                    else onMessage({ part: 'controller', isEnded: true });
                  }),
                ended,
                kill: () => own.end('signal SIGKILL'),
              };
            },
          }),
        },
      ),
  };
}
