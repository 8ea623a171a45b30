import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import type { SafeMode } from '#base/safe-mode/safe-mode.ts';
import type { StopList } from '#base/stop-list.ts';
import type { Clock } from '#base/time/clock.ts';
import type { OpenHubClock } from '#base/time/hub-clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { ReplayWork, ReplayWorkerDeps } from '#automations/replay/replay-worker.ts';
import type { Config } from '#config/config.ts';
import type { Simulation } from '#core/automation-replay/simulation.ts';
import type { EventLog } from '#core/event/event-log.ts';
import type { HubIdentity } from '#core/hub-identity.ts';
import type { PastChanges } from './told-history.ts';
import type { StartProgram } from './program-watch.ts';
import type { BrowseMdns, LanPlace } from '#integrations/ports.ts';
import type { FindAddresses } from '#lan/client/find-addresses.ts';
import type { Storage } from '#storage/storage.ts';

export type HubDeps = {
  readonly version: string;
  readonly config: Config;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly hubClock: Omit<OpenHubClock, 'stop'>;
  readonly safeMode: SafeMode;
  readonly startTimer: StartTimer;
  readonly random: Random;
  readonly log: Log;
  /** Each part adds the undo of what it starts. */
  readonly stops: StopList;
  /** True for the text of an address in the LAN: the hub itself may connect there. */
  readonly isLanAddress: (address: string) => boolean;
  /** True for the text of an address of this machine: only where an owner says so may the hub connect there. */
  readonly isOwnAddress: (address: string) => boolean;
  /** Where machines of the LAN reach this one; without loopback. */
  readonly lanAddresses: () => readonly LanPlace[];
  /** Starts a program of the hub beside it. */
  readonly startProgram: StartProgram;
  readonly browse: BrowseMdns;
  readonly addresses: () => readonly string[];
  /** Replays the past in a thread of its own. */
  readonly simulate: SimulateWork;
  /** Shows the code on the console and in the journal, at every log level. */
  readonly announceClaimCode: (code: string) => void;
};

/** Reads and replays; see `simulateInThread`. */
export type SimulateWork = (source: Omit<ReplayWorkerDeps, 'threadUrl'>, work: ReplayWork) => Promise<Simulation>;

/** Every part of a hub may use the context: it is there before the first of them. */
export type HubContext = Omit<HubDeps, 'storage'> & {
  readonly storage: Storage & PastChanges;
  /** Names this run in event cursors and entity tags. */
  readonly epoch: string;
  readonly newId: () => string;
  readonly findAddresses: FindAddresses;
  readonly identity: HubIdentity;
  readonly events: EventLog;
};
