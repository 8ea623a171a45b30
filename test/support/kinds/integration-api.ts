import type { PairingProgress } from '#core/integration/pairing.ts';
import { randomUUID } from 'node:crypto';
import type { AuditEvent } from '#auth/audit/audit-entry.ts';
import type { SessionCaller } from '#auth/caller.ts';
import { HubError } from '#base/hub-error.ts';
import type { IntegrationStatus } from '#core/integration/integration-status.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { FoundThing } from '#core/integration/found-thing.ts';
import type { Discovery } from '#core/integration/instance.ts';
import type { AuthorizedTerms } from '#core/records/change-terms.ts';
import { ROLES } from '#core/person/user.ts';
import { integrationFoundRoutes } from '#http/integration-found/routes.ts';
import { integrationKindRoutes } from '#http/integration-kind/routes.ts';
import { integrationSetupRoutes } from '#http/integration-setup/routes.ts';
import { integrationRoutes } from '#http/integration/routes.ts';
import { auditedRoutes } from '#http/routing/audited-routes.ts';
import type { IntegrationKind } from '#integrations/kind.ts';
import type { SetupPorts } from '#integrations/ports.ts';
import { createSetups } from '#integrations/setups.ts';
import { callerOf, createTestApp } from '#test/support/hub/http-app.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createInstanceWorld, TEST_KINDS } from './instance-world.ts';
import { createToyWorld, plainToyKind, toyKind } from './toy-kind.ts';

/** The calls about integrations over real instances and set-ups, with a toy kind and time that a test turns. */
const PROGRESS: PairingProgress = {
  step: 'device_found',
  externalId: '0x01',
  deviceId: null,
  seconds: null,
  detail: null,
};

export async function openIntegrationApi() {
  const toys = createToyWorld();
  const kinds: readonly IntegrationKind[] = [...TEST_KINDS, toyKind(toys), plainToyKind()];
  const world = createInstanceWorld();
  const { time } = world;
  const instances = await world.open({ kinds });
  const { log } = createRecordingLog();
  const emitted: HomeEvent[] = [];
  const audited: AuditEvent[] = [];
  const statuses = new Map<string, IntegrationStatus>();
  const pairing: [id: string, seconds: number][] = [];
  const safe = new Set<string>();
  const found = new Map<string, { readonly thing: FoundThing; readonly kind: string; readonly discovery: Discovery }>();
  const setups = createSetups({
    findKind: (id) => kinds.find((kind) => kind.id === id),
    refuseStart: () => undefined,
    findDiscovery: (id) => found.get(id),
    rules: {
      isLanAddress: (address) => address.startsWith('192.168.1.'),
      isOwnAddress: (address) => address.startsWith('127.'),
      hasInstance: (id, kind) => instances.find(id)?.kind === kind,
    },
    portsOf: ({ signal }) => ({ clock: time.clock, startTimer: time.startTimer, log, signal }) as SetupPorts,
    keep: async (kind, { secrets, settings, ...result }, given) => {
      const wanted = { ...result, kind: kind.id, settings: { ...settings, ...secrets } };
      const { id, isNew } = await instances.add(wanted, given);
      return { instance: id, isRenewal: !isNew };
    },
    startedInstance: () => ({ connected: async () => undefined, pair: async function* () {} }),
    takeBack: async () => false,
    onChange: (setup) => void emitted.push({ type: 'integration_setup.changed', setup }),
    newId: randomUUID,
    clock: time.clock,
    startTimer: time.startTimer,
    log,
  });
  const off: IntegrationStatus = { state: 'off', sinceMs: Date.UTC(2026, 0, 1), error: null };
  const audit = { record: async (event: AuditEvent) => void audited.push(event) };
  const setIgnored =
    (isIgnored: boolean) =>
    async (id: string, { authorize }: AuthorizedTerms): Promise<FoundThing | undefined> => {
      authorize();
      const one = found.get(id);
      if (one === undefined) return undefined;
      const thing = { ...one.thing, isIgnored };
      found.set(id, { ...one, thing });
      return thing;
    };
  const routes = [
    ...integrationRoutes({
      integrations: {
        ...instances,
        stateOf: (id) => ({
          status: statuses.get(id) ?? off,
          devices: 0,
          canPair: instances.kindOf(id)?.id === 'zigbee2mqtt',
          pairsByCode: false,
          report: null,
        }),
        findPairing: (id) =>
          instances.kindOf(id)?.id === 'zigbee2mqtt'
            ? {
                isOfBridge: false,
                open: async (seconds) => void pairing.push([id, seconds]),
                state: () => ({ remainingS: 30, progress: [PROGRESS] }),
              }
            : undefined,
        removeFabric: async () => {
          throw new HubError('NOT_SUPPORTED', 'The integration is no bridge.');
        },
        isInSafeMode: (id) => safe.has(id),
        endSafeMode: async (id, { authorize }) => {
          authorize();
          safe.delete(id);
        },
      },
    }),
    ...integrationKindRoutes({
      integrationKinds: () =>
        kinds.map((kind) => ({ ...kind, isDiscovered: kind.discovery !== undefined, canSetUp: true })),
    }),
    ...integrationFoundRoutes({
      integrationsFound: {
        things: () => [...found.values()].map(({ thing }) => thing),
        ignore: setIgnored(true),
        restore: setIgnored(false),
      },
    }),
    ...integrationSetupRoutes({ integrationSetups: setups, audit, wallMs: time.clock.wallMs }),
  ];
  const demoted = new Set<string>();
  const people = new Map<string, SessionCaller>();
  for (const role of ROLES) people.set(role, withRights(callerOf(role), demoted));
  const second = callerOf('admin');
  people.set(
    'admin2',
    withRights({ ...second, user: { ...second.user, id: 'user-2' as typeof second.user.id } }, demoted),
  );
  const { request } = createTestApp(auditedRoutes(routes, audit), {
    authenticate: (values) => {
      const caller = people.get((values[0] ?? '').replace('Bearer ', ''));
      if (caller === undefined) throw new HubError('INVALID_TOKEN', 'the access token is not valid');
      return caller;
    },
  });
  const call = async (line: string, body?: unknown, who = 'admin'): Promise<ApiAnswer> => {
    const [method = '', path = '', ifMatch = '*'] = line.split(' ');
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { Authorization: `Bearer ${who}`, 'Content-Type': 'application/json', 'If-Match': ifMatch };
    const asking = request(`/api/v1${path}`, { method, headers, ...json });
    const late = { isDone: false };
    asking.then(
      () => (late.isDone = true),
      () => (late.isDone = true),
    );
    // The time of set-ups stands still, and a call may wait for one.
    while (!late.isDone) await time.advance(0);
    const answer = await asking;
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, json: text === '' ? {} : (JSON.parse(text) as ApiJson) };
  };
  return { call, instances, toys, time, emitted, audited, statuses, pairing, safe, found, setups, demoted, world };
}

export type IntegrationApi = Awaited<ReturnType<typeof openIntegrationApi>>;
export type ApiAnswer = { readonly status: number; readonly headers: Headers; readonly json: ApiJson };
/** What tests look at; the contract has been checked. */
type ApiJson = {
  readonly id?: string;
  readonly status?: string;
  readonly code?: string;
  readonly errors?: readonly { readonly pointer: string }[];
  readonly enabled?: boolean;
  readonly settings?: Readonly<Record<string, { readonly value?: unknown }>>;
  readonly step?: {
    readonly until?: string;
    readonly values?: unknown;
    readonly errors?: readonly { readonly pointer: string }[];
  } | null;
  readonly error?: unknown;
};

/** A person whose role can be taken away in the middle. */
function withRights(caller: SessionCaller, demoted: ReadonlySet<string>): SessionCaller {
  const current = (): SessionCaller => {
    const role = demoted.has(caller.user.id) ? 'guest' : caller.user.role;
    return { ...caller, user: { ...caller.user, role }, current };
  };
  return { ...caller, current };
}
