import { type ClientNode, NodeId, Seconds } from '@matter/main';
import { CommissioningClient, CommissioningDiscovery } from '@matter/main/node';
import {
  type AttestationFinding,
  CommissioningError,
  CommissioningTimeoutError,
  ControllerCommissioningFlow,
  DeviceAlreadyCommissionedToThisFabricError,
  DeviceAttestationError,
  MaximumCommissionedFabricsReachedError,
  OperativeConnectionFailedError,
  PeerCommunicationError,
  WifiOrThreadNetworkCredentialsNotConfiguredError,
} from '@matter/main/protocol';
import type { CommissioningFault, CommissioningStep } from '#integrations/matter/controller-message.ts';
import type { SetupCode } from '#integrations/matter/setup-code.ts';
import { NotKeptError, wordsOf } from '#integrations/matter-program/process/hub-channel.ts';
import type { HomeNode } from './home-node.ts';

export type Commissioning = {
  /** Resolves with the device that is in this home now. Rejects with a CommissioningFailure. */
  readonly joined: Promise<ClientNode>;
  readonly cancel: () => void;
};

export type CommissioningDeps = {
  readonly home: HomeNode;
  readonly code: SetupCode;
  readonly nodeId: number;
  readonly onStep: (step: CommissioningStep) => void;
};

/** Why a device has not joined. */
export class CommissioningFailure extends Error {
  readonly fault: CommissioningFault;

  constructor(fault: CommissioningFault, cause: unknown) {
    super(wordsOf(cause), { cause });
    this.name = 'CommissioningFailure';
    this.fault = fault;
  }
}

/** A device in the window of commissioning says so each few seconds, and answers when it is asked. */
const SEARCH_S = 45;
/** Of several devices with the same short discriminator, one may have the code; else nobody waits for the whole search. */
const OTHERS_MS = 3_000;
/** What a device that lets nobody in has as its mode. */
const CLOSED = 0;
/** One in the window says so within seconds, and one that says that its window is closed may have opened it since. */
const CLOSED_MS = 10_000;
/** With the search and three minutes, which a slow device may take until it is back as one of this home. */
const ALL_MS = 225_000;
/** Numbers of the steps of the library, as the standard has them. */
const STEPS: ReadonlyMap<number, CommissioningStep> = new Map([
  [10, 'attesting'],
  [11, 'joining'],
]);

export function beginCommissioning({ home, code, nodeId, onStep }: CommissioningDeps): Commissioning {
  const ending: { fault?: CommissioningFault } = {};
  let wasFound = false;
  const find = (): void => {
    if (wasFound) return;
    wasFound = true;
    onStep('found');
  };
  const check = (): void => {
    if (ending.fault !== undefined) throw new CommissioningError(`ended: ${ending.fault}`);
  };
  class Flow extends ControllerCommissioningFlow {
    constructor(...given: ConstructorParameters<typeof ControllerCommissioningFlow>) {
      super(...given);
      for (const step of this.commissioningSteps) {
        const carryOut = step.stepLogic;
        step.stepLogic = () => {
          check();
          find();
          const told = STEPS.get(step.stepNumber);
          if (told !== undefined) onStep(told);
          return carryOut();
        };
      }
    }
  }
  onStep('searching');
  class Search extends CommissioningDiscovery {
    protected override onDiscovered(node: ClientNode): void {
      // It is in a home, and lets nobody in: few devices say so. Anybody may: others have time to be found.
      const isClosed = Number(node.maybeStateOf(CommissioningClient)?.commissioningMode) === CLOSED;
      if (isClosed) closedTimer ??= setTimeout(() => this.paseWon || end('in_another_home'), CLOSED_MS);
      super.onDiscovered(node);
    }

    protected override registerAttempt<Result>(
      start: (winOnPase: () => boolean) => Result | PromiseLike<Result>,
      ...rest: [(result: Result) => ClientNode | undefined]
    ): void {
      const watched = async (winOnPase: () => boolean): Promise<Result> => {
        try {
          return await start(winOnPase);
        } catch (cause) {
          if (isWrongCode(cause)) wrongCodeTimer ??= setTimeout(() => this.paseWon || end('wrong_code'), OTHERS_MS);
          throw cause;
        }
      };
      super.registerAttempt(watched, ...rest);
    }
  }
  let wrongCodeTimer: NodeJS.Timeout | undefined;
  let closedTimer: NodeJS.Timeout | undefined;
  const discovery = new Search(home, {
    passcode: code.passcode,
    ...discriminatorOf(code),
    nodeId: NodeId(nodeId),
    timeout: Seconds(SEARCH_S),
    commissioningFlowImpl: Flow,
    onAttestationFailure: isAcceptable,
  });
  const end = (fault: CommissioningFault): void => {
    ending.fault ??= fault;
    discovery.stop();
  };
  home.peers.added.on(find);
  const timer = setTimeout(() => end('timed_out'), ALL_MS);
  const joined = Promise.resolve(discovery)
    .catch((cause: unknown) => {
      throw new CommissioningFailure(ending.fault ?? faultOf(cause, wasFound), cause);
    })
    .finally(() => {
      clearTimeout(timer);
      clearTimeout(wrongCodeTimer);
      clearTimeout(closedTimer);
      home.peers.added.off(find);
    });
  return { joined, cancel: () => end('cancelled') };
}

function discriminatorOf({ discriminator: { bits, value } }: SetupCode) {
  return bits === 12 ? { longDiscriminator: value } : { shortDiscriminator: value };
}

/** Only what the device itself proves can be checked here: the list of makers is on the internet. */
function isAcceptable(findings: readonly AttestationFinding[]): boolean {
  return findings.every(({ level }) => level !== 'error');
}

type Class = abstract new (...given: never[]) => Error;

/** What the library says of a proof that does not fit, for which it has no error of its own. */
const WRONG_CODE = /incorrect key confirmation/;
const FAULTS: readonly (readonly [Class, CommissioningFault])[] = [
  [NotKeptError, 'no_disk'],
  [DeviceAttestationError, 'not_genuine'],
  [MaximumCommissionedFabricsReachedError, 'too_many_homes'],
  [DeviceAlreadyCommissionedToThisFabricError, 'already_here'],
  [WifiOrThreadNetworkCredentialsNotConfiguredError, 'no_network'],
  [OperativeConnectionFailedError, 'no_answer'],
  [CommissioningTimeoutError, 'timed_out'],
];

function faultOf(cause: unknown, wasFound: boolean): CommissioningFault {
  const all = causesOf(cause);
  for (const [type, fault] of FAULTS) if (all.some((one) => one instanceof type)) return fault;
  if (isWrongCode(cause)) return 'wrong_code';
  if (!wasFound) return 'not_found';
  return all.some((one) => one instanceof PeerCommunicationError) ? 'no_answer' : 'failed';
}

function isWrongCode(cause: unknown): boolean {
  return causesOf(cause).some(({ message }) => WRONG_CODE.test(message));
}

function causesOf(cause: unknown): readonly Error[] {
  if (!(cause instanceof Error)) return [];
  const inner = [cause.cause, ...('errors' in cause && Array.isArray(cause.errors) ? cause.errors : [])];
  return [cause, ...inner.flatMap(causesOf)];
}
