import type { Clock } from '#base/time/clock.ts';
import { createLogTurn, type Log } from '#base/log.ts';
import type { MdnsLink } from './mdns-links.ts';

/** Another host that claims a name of the hub. */
export type NameConflict = { readonly name: string; readonly holder: string };

const LOG_EVERY_MS = 60_000;
/** A host that has been silent for this long no longer claims the name. */
const SHOWN_MS = 600_000;

type ConflictNotesDeps = { readonly log: Log; readonly clock: Pick<Clock, 'monotonicMs'> };

/** Logs conflicts, each kind once a minute with the number left out: any host of the network can cause them. */
export function createConflictNotes({ log, clock }: ConflictNotesDeps) {
  let last: { readonly conflict: NameConflict; readonly atMs: number } | undefined;
  const createLine = (): ((write: (more: object) => void) => void) => {
    const takeTurn = createLogTurn(LOG_EVERY_MS, clock.monotonicMs);
    return (write) => {
      const turn = takeTurn();
      if (turn !== undefined) write(turn.withheld === 0 ? {} : { more_since_last_line: turn.withheld });
    };
  };
  const [held, taken, claimed] = [createLine(), createLine(), createLine()];
  const remember = (conflict: NameConflict): void => {
    last = { conflict, atMs: clock.monotonicMs() };
  };
  return {
    conflict: (isFirstHeld: boolean): NameConflict | undefined =>
      last !== undefined && (!isFirstHeld || clock.monotonicMs() - last.atMs < SHOWN_MS) ? last.conflict : undefined,
    noteHeld: (host: string | undefined, links: readonly MdnsLink[]): void => {
      const interfaces = [...new Set(links.map((link) => link.interface))].join(',');
      held((more) => log.info('advertised in the network', { host, interfaces, ...more }));
    },
    noteTaken: (conflict: NameConflict, next: string | undefined): void => {
      remember(conflict);
      const { name, holder } = conflict;
      taken((more) => log.warn('another host has this name', { taken: name, holder, next, ...more }));
    },
    noteClaimed: (conflict: NameConflict): void => {
      remember(conflict);
      claimed((more) => log.warn('another host claims the name of the hub', { ...conflict, ...more }));
    },
  };
}
