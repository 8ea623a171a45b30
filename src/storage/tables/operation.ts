/** What a call of storage does to the database: decides how its success is accounted for, and whether it is answered. */
export type OperationKind =
  /** Leaves the database as it is. */
  | 'read'
  /** Has committed what it changed when it returns: its success shows that the disk takes writes. */
  | 'write'
  /** Waits in memory for the value writer's next flush, which notes how that went. */
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

export function write<Call extends Run>(run: Call): Operation<'write', Call> {
  return { kind: 'write', run };
}

export function defer<Call extends Run>(run: Call): Operation<'defer', Call> {
  return { kind: 'defer', run };
}

export function post<Call extends Run>(run: Call): Operation<'post', Call> {
  return { kind: 'post', run };
}

/** The operations as functions to call in their own thread. */
export type CallsOf<Group> = {
  readonly [Name in keyof Group]: Group[Name] extends Operation<OperationKind, infer Call> ? Call : never;
};

/** The operations as a port: what their owners call, wherever the database is. */
export type PortOf<Group> = {
  readonly [Name in keyof Group]: Group[Name] extends Operation<infer Kind, infer Call>
    ? (...args: Parameters<Call>) => Kind extends 'post' ? void : Promise<ReturnType<Call>>
    : never;
};

/** Which operation is meant: it crosses the thread as two words. */
export type OperationName = { readonly group: string; readonly name: string };

/** The kind of every operation, by group and name: what the other side must know to call them. */
export type OperationKinds = Readonly<Record<string, Readonly<Record<string, OperationKind>>>>;

export function kindsOf(groups: Readonly<Record<string, Operations>>): OperationKinds {
  return mapEach(groups, (operations) => mapEach(operations, ({ kind }) => kind));
}

/** The same keys with other values. */
export function mapEach<From, To>(
  from: Readonly<Record<string, From>>,
  change: (value: From, key: string) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [key, change(value, key)]));
}
