/** The kind of an operation decides what a success means for health, and whether there is an answer. */
type OperationKind =
  /** Leaves the database as it is, or changes it only if it can: success shows nothing about the disk. */
  | 'read'
  /** Reads for long, in turns with other calls. The `bytes` of its result move to the caller instead of being copied. */
  | 'answer'
  /** Has committed its changes when it returns, so that success shows that the disk accepts writes. */
  | 'write'
  /** Keeps its arguments in memory, to be written by a later operation or flush, which then counts as the write. */
  | 'defer'
  /** The same, and the caller gets no answer. */
  | 'post';

type Run = (...args: never[]) => unknown;

/** One synchronous call of storage. */
export type Operation<Kind extends OperationKind = OperationKind, Call extends Run = Run> = {
  readonly kind: Kind;
  readonly run: Call;
};
export type Operations = Readonly<Record<string, Operation>>;

export function read<Call extends Run>(run: Call): Operation<'read', Call> {
  return { kind: 'read', run };
}

export function answer<Call extends (...args: never[]) => Promise<{ readonly bytes: Uint8Array<ArrayBuffer> }>>(
  run: Call,
): Operation<'answer', Call> {
  return { kind: 'answer', run };
}

export function write<Call extends Run>(run: Call): Operation<'write', Call> {
  return { kind: 'write', run };
}

export function defer<Call extends Run>(run: Call): Operation<'defer', Call> {
  return { kind: 'defer', run };
}

export function post<Call extends Run>(run: Call): Operation<'post', Call> {
  return { kind: 'post', run };
}

/** The operations as plain functions, for callers in the engine's thread. */
export type CallsOf<Group> = {
  readonly [Name in keyof Group]: Group[Name] extends Operation<OperationKind, infer Call> ? Call : never;
};

/** The operations as a port, for callers in any thread. */
export type PortOf<Group> = {
  readonly [Name in keyof Group]: Group[Name] extends Operation<infer Kind, infer Call>
    ? (...args: Parameters<Call>) => Kind extends 'post' ? void : Promise<Awaited<ReturnType<Call>>>
    : never;
};

/** Names an operation, also in messages between threads. */
export type OperationName = { readonly group: string; readonly name: string };

/** The kind of each operation, by group and name: all that a caller in another thread must know. */
export type OperationKinds = Readonly<Record<string, Readonly<Record<string, OperationKind>>>>;

export function kindsOf(groups: Readonly<Record<string, Operations>>): OperationKinds {
  return mapEach(groups, (operations) => mapEach(operations, ({ kind }) => kind));
}

/** The same keys with changed values. */
export function mapEach<From, To>(
  from: Readonly<Record<string, From>>,
  change: (value: From, key: string) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [key, change(value, key)]));
}
