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

export type Commissioning = ReturnType<typeof beginCommissioning>;

/** `perhaps`: the last word went to the device, and no answer has come. */
export type Joined = 'no' | 'perhaps' | 'yes';

type CommissioningDeps = {
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
/** A device that lets nobody in has this mode. */
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
/** With this the device is in this home, and does not forget it by itself any more. */
const COMPLETE_STEP = 20;

export function beginCommissioning({ home, code, nodeId, onStep }: CommissioningDeps) {
  const ending: { fault?: CommissioningFault } = {};
  let wasFound = false;
  const find = (): void => {
    if (wasFound) return;
    wasFound = true;
    onStep('found');
  };
  let hasJoined: Joined = 'no';
  let leaveNow = (_cause: Error): void => undefined;
  const left = new Promise<never>((_resolve, reject) => (leaveNow = reject));
  left.catch(() => undefined);
  const carryOut: StepRunner = async (number, logic) => {
    if (number > COMPLETE_STEP) return logic();
    if (ending.fault !== undefined) throw new CommissioningError(`ended: ${ending.fault}`);
    find();
    const told = STEPS.get(number);
    if (told !== undefined) onStep(told);
    // One that comes back with its keys may take minutes for it.
    if (number < COMPLETE_STEP) return Promise.race([logic(), left]);
    hasJoined = 'perhaps';
    const result = await logic();
    hasJoined = 'yes';
    return result;
  };
  onStep('searching');
  const candidates = createCandidates({
    isWrongCode,
    onAllFailed: () => discovery.hasWon || end('wrong_code'),
  });
  class Search extends CommissioningDiscovery {
    get hasWon() {
      return this.paseWon;
    }

    protected override onDiscovered(node: ClientNode): void {
      // It is in a home, and lets nobody in: few devices say so. Anybody may: others have time to be found.
      const isClosed = Number(node.maybeStateOf(CommissioningClient)?.commissioningMode) === CLOSED;
      if (isClosed) closedTimer ??= setTimeout(() => this.paseWon || end('in_another_home'), CLOSED_MS);
      if (candidates.hasRoom()) super.onDiscovered(node);
    }

    protected override registerAttempt<Result>(
      start: (winOnPase: () => boolean) => Result | PromiseLike<Result>,
      ...rest: [(result: Result) => ClientNode | undefined]
    ): void {
      super.registerAttempt((winOnPase) => candidates.watch(() => start(winOnPase)), ...rest);
    }
  }
  let closedTimer: NodeJS.Timeout | undefined;
  const discovery = new Search(home, {
    passcode: code.passcode,
    ...discriminatorOf(code),
    nodeId: NodeId(nodeId),
    timeout: Seconds(SEARCH_S),
    commissioningFlowImpl: flowWith(carryOut),
    onAttestationFailure: isAcceptable,
    // Once it has joined, it is read until that succeeds, and not as a part of its joining, which would fail with it.
    autoStateInitialize: false,
  });
  const end = (fault: CommissioningFault): void => {
    ending.fault ??= fault;
    discovery.stop();
    if (hasJoined === 'no') leaveNow(new CommissioningError(`ended: ${ending.fault}`));
  };
  home.peers.added.on(find);
  const timer = setTimeout(() => end('timed_out'), ALL_MS);
  const settled = Promise.resolve(discovery).finally(() => {
    clearTimeout(timer);
    candidates.stop();
    clearTimeout(closedTimer);
    home.peers.added.off(find);
  });
  const joined = Promise.race([settled, left]).catch((cause: unknown) => {
    throw new CommissioningFailure(ending.fault ?? faultOf(cause, wasFound), cause);
  });
  return {
    /** Resolves with the device that is in this home now. Rejects with a CommissioningFailure, at once if it is cancelled. */
    joined,
    /** Resolves once nothing is said to the device any more: only then another one can begin. */
    over: settled.catch(() => undefined),
    /** Does nothing from the moment on at which the device may be in this home. */
    cancel: (): void => end('cancelled'),
    /** Whether it is in this home, also where something has failed. */
    hasJoined: (): Joined => hasJoined,
  };
}

type StepRunner = <Result>(number: number, logic: () => Result | Promise<Result>) => Promise<Result>;

/** The steps of the library, each of them carried out by `run`. */
function flowWith(run: StepRunner): typeof ControllerCommissioningFlow {
  return class extends ControllerCommissioningFlow {
    constructor(...given: ConstructorParameters<typeof ControllerCommissioningFlow>) {
      super(...given);
      for (const step of this.commissioningSteps) {
        const logic = step.stepLogic;
        step.stepLogic = () => run(step.stepNumber, logic);
      }
    }
  };
}

function discriminatorOf({ discriminator: { bits, value } }: SetupCode) {
  return bits === 12 ? { longDiscriminator: value } : { shortDiscriminator: value };
}

/** Only what the device itself proves can be checked here: the list of makers is on the internet. */
function isAcceptable(findings: readonly AttestationFinding[]): boolean {
  return findings.every(({ level }) => level !== 'error');
}

type Class = abstract new (...given: never[]) => Error;

/** The library says this of a proof that does not fit, and has no error of its own for it. */
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

/** Whether the disk is why. */
export function isNotKept(cause: unknown): boolean {
  return causesOf(cause).some((one) => one instanceof NotKeptError);
}

function isWrongCode(cause: unknown): boolean {
  return causesOf(cause).some(({ message }) => WRONG_CODE.test(message));
}

function causesOf(cause: unknown): readonly Error[] {
  if (!(cause instanceof Error)) return [];
  const inner = [cause.cause, ...('errors' in cause && Array.isArray(cause.errors) ? cause.errors : [])];
  return [cause, ...inner.flatMap(causesOf)];
}

/** The devices that say that they wait for the code. Anybody in the LAN may say so. */
export type Candidates = {
  /** False where there are too many of them. */
  readonly hasRoom: () => boolean;
  /** Tries one of them. */
  readonly watch: <Result>(attempt: () => Result | PromiseLike<Result>) => Promise<Result>;
  readonly stop: () => void;
};

type CandidatesDeps = {
  readonly isWrongCode: (cause: unknown) => boolean;
  /** One at least has refused the code, all others have failed, and no other came for a while. */
  readonly onAllFailed: () => void;
};

/** Another device with the same short discriminator may have the code; else nobody waits for the whole search. */
const OTHERS_MS = 3_000;
/** A home has a few at most that can be mistaken for each other. */
const MOST = 32;

export function createCandidates({ isWrongCode, onAllFailed }: CandidatesDeps): Candidates {
  let tried = 0;
  let underWay = 0;
  let wasRefused = false;
  let timer: NodeJS.Timeout | undefined;

  return {
    hasRoom: () => tried < MOST,
    watch: async (attempt) => {
      tried += 1;
      underWay += 1;
      clearTimeout(timer);
      try {
        return await attempt();
      } catch (cause) {
        wasRefused ||= isWrongCode(cause);
        throw cause;
      } finally {
        underWay -= 1;
        if (underWay === 0 && wasRefused) timer = setTimeout(onAllFailed, OTHERS_MS);
      }
    },
    stop: () => clearTimeout(timer),
  };
}
