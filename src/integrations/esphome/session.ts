import type { Ports } from '#integrations/ports.ts';
import { waitMs } from '#base/time/timer.ts';
import type { NodeInfo } from './node-info.ts';
import type { Sending } from './payload.ts';
import type { Reporting } from './reporting.ts';
import { openTalk } from './talk.ts';

/** Sends messages, and resolves once the node has taken them. Throws PeerFault. */
export type Send = (sendings: readonly Sending[]) => Promise<void>;

type SessionDeps = {
  readonly host: string;
  readonly key: Uint8Array | null;
  /** The MAC address of the node as of the set-up. */
  readonly mac: string | null;
  readonly reporting: Reporting;
  readonly ports: Pick<Ports, 'openTcp' | 'startTimer' | 'clock'>;
  /** Called once it is known who answers. */
  readonly onInfo: (info: NodeInfo) => Promise<void>;
  /** Called once the node is read: it can be commanded from now on. */
  readonly onUp: (send: Send) => void;
  /** Called with what the node has that has no place in the hub, by its kind. */
  readonly onSkipped: (skipped: ReadonlyMap<string, number>) => void;
  readonly onUnreadable: () => void;
  readonly signal: AbortSignal;
};

const SUBSCRIBE = 20;
/** A home without room for the node may have it later. */
const NO_ROOM_MS = 60_000;

/** One connection to a node. Resolves when it ends; rejects with PeerFault. Leaves nothing behind. */
export async function runSession(deps: SessionDeps): Promise<void> {
  const { reporting, ports, onInfo, onSkipped, onUp, signal } = deps;
  const talk = await openTalk({
    ...deps,
    openTcp: ports.openTcp,
    startTimer: ports.startTimer,
    wallMs: ports.clock.wallMs,
    onMessage: reporting.take,
  });
  try {
    await onInfo(talk.info);
    const list = await talk.list();
    if (list.skipped.size > 0) onSkipped(list.skipped);
    if (!(await reporting.begin(talk.info, list))) return await waitMs(NO_ROOM_MS, ports.startTimer, signal);
    talk.send(SUBSCRIBE);
    onUp(async (sendings) => {
      for (const { type, body } of sendings) talk.send(type, body);
      await talk.ping();
    });
    await talk.ended;
  } catch (cause) {
    talk.fail(cause);
    throw cause;
  }
}
