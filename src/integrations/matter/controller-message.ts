import type { MatterAsk, MatterChange, MatterNode, MatterOccurrence } from './matter-node.ts';
import type { SetupCode } from './setup-code.ts';
import type { LanPlace } from '#integrations/ports.ts';

/*
 * What the hub and the program that speaks Matter say to each other where the hub takes devices in. The program has the
 * keys and the connections; the hub decides, keeps, and knows what a node is for people.
 */

export type ToController =
  | {
      readonly type: 'start';
      readonly port: number;
      readonly addresses: readonly LanPlace[];
      /** As the program gave it last; `null` for a new home. */
      readonly memory: string | null;
      readonly about: { readonly name: string };
    }
  | { readonly type: 'addresses'; readonly addresses: readonly LanPlace[] }
  /** Takes a device in. One at a time. */
  | { readonly type: 'commission'; readonly code: SetupCode }
  | { readonly type: 'cancel' }
  /** One after the other, until one is refused. */
  | { readonly type: 'ask'; readonly seq: number; readonly nodeId: string; readonly asks: readonly MatterAsk[] }
  /** `isForced`: also where it does not answer, and so keeps the keys of this home. */
  | { readonly type: 'remove'; readonly seq: number; readonly nodeId: string; readonly isForced: boolean }
  | { readonly type: 'kept'; readonly seq: number; readonly isKept: boolean };

export type FromController =
  /** With the nodes of this home, as they were when they were last heard. */
  | { readonly type: 'started'; readonly nodes: readonly MatterNode[] }
  | { readonly type: 'failed'; readonly code: 'PORT_IN_USE' | 'NODE_FAILED'; readonly message: string }
  /** To be kept before it is answered. */
  | { readonly type: 'keep'; readonly seq: number; readonly text: string }
  /** All that it says of itself now: it has answered, or another part of it came or went. */
  | { readonly type: 'node'; readonly node: MatterNode }
  | { readonly type: 'changes'; readonly nodeId: string; readonly changes: readonly MatterChange[] }
  | { readonly type: 'occurrence'; readonly nodeId: string; readonly occurrence: MatterOccurrence }
  | { readonly type: 'reach'; readonly nodeId: string; readonly reach: Reach }
  /** It has left this home by itself. */
  | { readonly type: 'gone'; readonly nodeId: string }
  | { readonly type: 'commissioning'; readonly step: CommissioningStep }
  | { readonly type: 'commissioned'; readonly node: MatterNode }
  | { readonly type: 'not_commissioned'; readonly fault: CommissioningFault; readonly detail: string }
  | { readonly type: 'answer'; readonly seq: number; readonly refusal: Refusal | null }
  /** Something that went wrong and is over. */
  | { readonly type: 'fault'; readonly message: string };

/** `asleep`: a device that sleeps for long, hears nothing now, and was heard in time. */
export type Reach = 'online' | 'offline' | 'asleep';

export type CommissioningStep = 'searching' | 'found' | 'attesting' | 'joining' | 'reading';

export type CommissioningFault =
  | 'not_found'
  | 'wrong_code'
  | 'no_answer'
  | 'already_here'
  | 'in_another_home'
  | 'too_many_homes'
  | 'not_genuine'
  | 'no_network'
  | 'cancelled'
  | 'timed_out'
  | 'no_disk'
  | 'failed';

/** `status` is what the node answered; `null` where it did not answer. */
export type Refusal = {
  readonly status: number | null;
  readonly message: string;
  /** It was not asked: the hub could not remember what it answers. */
  readonly isDiskFull?: boolean;
};
