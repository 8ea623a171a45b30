import { HubError } from '#base/hub-error.ts';
import { type ConnectionReason, faultOf } from '#base/network/connection-failure.ts';

/** Why the hub cannot work with a peer. The message is for people and has no period at its end. */
export class PeerFault extends Error {
  readonly code: string;
  /** `busy`: the peer has too much to do for now. `lasting`: only a person can mend it. */
  readonly nature: 'passing' | 'busy' | 'lasting';

  constructor(message: string, { code, nature, cause }: Pick<PeerFault, 'code' | 'nature' | 'cause'>) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'PeerFault';
    this.code = code;
    this.nature = nature;
  }
}

/** The peer understood a request and says no. `code` is its own word for the reason. */
export class PeerRefusal extends Error {
  readonly code: string | number;

  constructor(message: string, code: string | number) {
    super(message);
    this.name = 'PeerRefusal';
    this.code = code;
  }
}

/** A connection fails for these reasons where something answers that is no such peer. */
const UNREADABLE: ReadonlySet<ConnectionReason> = new Set(['bad_answer', 'too_large', 'not_tls'] as const);

type FaultTable<Code extends string> = {
  /** In English, by code. */
  readonly messages: Readonly<Record<Code, string>> & { readonly BAD_ANSWER: string };
  /** The codes of what only a person can mend. */
  readonly lasting: readonly NoInfer<Code>[];
  readonly unreachable: NoInfer<Code>;
  readonly busy?: NoInfer<Code>;
};

/**
 * The faults of a kind of peer, by their codes: `fault` makes one, and `faultFrom` says what an error of the connection
 * means for people. A bug stays what it is.
 */
export function definePeerFaults<Given extends string>({ messages, lasting, unreachable, busy }: FaultTable<Given>) {
  type Code = Given | 'BAD_ANSWER';
  const fault = (code: Code, cause?: unknown): PeerFault => {
    const nature = lasting.some((one) => one === code) ? 'lasting' : code === busy ? 'busy' : 'passing';
    return new PeerFault(messages[code], { code, nature, cause });
  };
  const faultFrom = (cause: unknown): Error => {
    if (cause instanceof PeerRefusal) return fault('BAD_ANSWER', cause);
    if (!(cause instanceof HubError)) return cause as Error;
    const reason = faultOf(cause)?.reason;
    return fault(reason !== undefined && UNREADABLE.has(reason) ? 'BAD_ANSWER' : unreachable, cause);
  };
  return { fault, faultFrom };
}

/** Tells in the hub's words why a command failed; a bug stays what it is. */
export function commandFailure(cause: unknown): unknown {
  if (cause instanceof PeerRefusal) return new HubError('COMMAND_FAILED', `${cause.message}.`, { cause });
  if (!(cause instanceof PeerFault)) return cause;
  return new HubError(cause.nature === 'busy' ? 'COMMAND_FAILED' : 'INTEGRATION_DOWN', `${cause.message}.`, { cause });
}
