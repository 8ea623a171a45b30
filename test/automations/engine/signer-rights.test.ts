import { expect, test } from 'vitest';
import { type Caller, canCaller, type Place, type TokenGrant } from '#auth/caller.ts';
import { type Scope, TOKEN_SCOPES } from '#auth/scope.ts';
import type { ApiTokenId } from '#auth/token/api-token.ts';
import type { JsonObject } from '#base/json.ts';
import type { AutomationRecord, Automation } from '#core/automation/registry/automation-record.ts';
import { PART_SHAPES } from '#core/automation/document/shapes.ts';
import type { StepWord } from '#core/automation/document/step.ts';
import { DIRECT } from '#core/cause/cause.ts';
import type { DeviceType } from '#core/device/device.ts';
import { type Role, ROLES, type User, type UserId } from '#core/person/user.ts';
import { createFindSigner } from '#hub/automation/signers.ts';
import { definitionOf } from '#test/support/automation/known-home.ts';
import { createLiveHome } from '#test/support/automation/live-home.ts';
import { automation } from '#test/support/automation/virtual-home.ts';

/** What a step does, and with which rights a person could do the same by hand; `null`: nothing. */
type Deed = {
  readonly name: string;
  readonly before?: readonly JsonObject[];
  readonly steps: readonly JsonObject[];
  readonly needs: readonly (readonly [Scope, Where])[] | null;
  readonly shows: string;
};
/** The whole home, or a device. */
type Where = 'home' | 'lamp' | 'lock';

const SIGNER = 'ada' as UserId;
const KEEPER = 'grace' as UserId;
const set = (targets: JsonObject, values: JsonObject): JsonObject => ({
  command: { targets, set: values, skip_if_same: false },
});
const LAMP_ON = set({ devices: ['lamp'] }, { on: true });
const LAMP = [['device:control', 'lamp']] as const;
const IS_ON = 'lamp {"on":true}';
const lamp = (name: string, ...steps: readonly JsonObject[]): Deed => ({ name, steps, needs: LAMP, shows: IS_ON });

/** Every kind of step: a new one is missing here until somebody says what it may do. */
const DEEDS: Readonly<Record<StepWord, readonly Deed[]>> = {
  command: [
    lamp('a device', LAMP_ON),
    lamp('a group', set({ group: 'both' }, { on: true })),
    lamp('what fits', set({ any_of: { type: 'on_off_light' } }, { on: true })),
    {
      name: 'a lock',
      steps: [set({ devices: ['lock'] }, { locked: false })],
      needs: [
        ['device:control', 'lock'],
        ['device:control_sensitive', 'lock'],
      ],
      shows: 'lock {"locked":false}',
    },
  ],
  scene: [
    {
      name: 'a scene',
      steps: [{ scene: { scene: 'bright', skip_if_same: false } }],
      needs: [['scene:run', 'home'], ...LAMP],
      shows: IS_ON,
    },
  ],
  restore: [
    { name: 'what it changed', before: [LAMP_ON], steps: [{ restore: {} }], needs: LAMP, shows: 'lamp {"on":false}' },
  ],
  delay: [lamp('then a device', { delay: { s: 0.1 } }, LAMP_ON)],
  wait_for: [
    lamp(
      'then a device',
      { wait_for: { condition: { feature: { device: 'go', key: 'open', is: true } }, timeout_s: 5 } },
      LAMP_ON,
    ),
  ],
  choose: [
    lamp('a device in a case', {
      choose: { cases: [{ if: { feature: { device: 'go', key: 'open', is: true } }, then: [LAMP_ON] }] },
    }),
  ],
  repeat: [lamp('a device in a round', { repeat: { times: 1, max: 1, steps: [LAMP_ON] } })],
  parallel: [lamp('a device in a branch', { parallel: { branches: [[LAMP_ON]] } })],
  notify: [
    {
      name: 'a notification',
      steps: [{ notify: { severity: 'info', title: 'Hello' } }],
      needs: [['notification:manage', 'home']],
      shows: 'notice Hello',
    },
  ],
  request: [
    {
      name: 'a request',
      steps: [{ request: { method: 'POST', url: 'http://printer.local/' } }],
      needs: [['hub:manage', 'home']],
      shows: 'request http://printer.local/',
    },
  ],
  mode: [
    {
      name: 'a mode',
      steps: [{ mode: { mode: 'home', value: 'night' } }],
      needs: [['mode:set', 'home']],
      shows: 'mode home=night',
    },
  ],
  variable: [
    {
      name: 'a variable',
      steps: [{ variable: { variable: 'x', value: 1 } }],
      needs: [['mode:set', 'home']],
      shows: 'variable x=1',
    },
  ],
  presence_note: [
    {
      name: 'of the signer',
      steps: [{ presence_note: { person: SIGNER, state: 'away' } }],
      needs: [['presence:tell', 'home']],
      shows: `${SIGNER} is away`,
    },
    {
      name: 'of somebody else',
      steps: [{ presence_note: { person: KEEPER, state: 'away' } }],
      needs: [['user:manage', 'home']],
      shows: `${KEEPER} is away`,
    },
  ],
  automation: [
    ...(['enable', 'disable'] as const).map((word): Deed => ({
      name: word,
      steps: [{ automation: { automation: 'idle', do: word } }],
      needs: [['automation:run', 'home']],
      shows: `${word} idle`,
    })),
    {
      name: 'run',
      steps: [{ automation: { automation: 'teller', do: 'run' } }],
      needs: [['automation:run', 'home']],
      shows: 'notice It runs',
    },
    {
      name: 'run one that may open a door',
      steps: [{ automation: { automation: 'opener', do: 'run' } }],
      needs: [
        ['automation:run', 'home'],
        ['device:control_sensitive', 'home'],
      ],
      shows: 'door {"locked":false}',
    },
    {
      name: 'stop',
      steps: [{ automation: { automation: 'sleeper', do: 'stop' } }],
      needs: [['automation:run', 'home']],
      shows: 'stopped sleeper',
    },
  ],
  stop: [{ name: 'before a device', steps: [{ stop: { outcome: 'finished' } }, LAMP_ON], needs: null, shows: IS_ON }],
};
const ALL = Object.entries(DEEDS).flatMap(([word, deeds]) => deeds.map((deed) => [word, deed.name, deed] as const));

/** Who signed, as they are at a moment; `null`: the person, or the API token, is gone. */
type Signing = { readonly user: User; readonly grant: TokenGrant | null } | null;

function userOf(role: Role, more: Partial<User> = {}): User {
  return { id: SIGNER, name: 'Ada', role, roomIds: null, revision: 1, ...more } as User;
}

function tokenWith(scopes: Iterable<Scope>, limits?: TokenGrant['limits']): TokenGrant {
  return { id: 'token' as ApiTokenId, scopes: new Set(scopes), limits, provider: null };
}

/** Somebody who is asked the one rule, as if they did it themselves. */
function mayByHand(signing: Signing, needs: Deed['needs'], idOf: (device: string) => string): boolean {
  if (signing === null || needs === null) return false;
  const { user, grant } = signing;
  const caller = { kind: grant === null ? 'session' : 'api_token', user, grant } as unknown as Caller;
  return needs.every(([scope, where]) => {
    const place = where === 'home' ? where : { device: { id: idOf(where), roomId: null } };
    return canCaller(caller, scope, place as Place);
  });
}

const BY_HAND = { trigger: null, skipConditions: true, cause: DIRECT };
const rule = (id: string, document: JsonObject): Automation =>
  automation(id, { ...definitionOf({ mode: { kind: 'restart' }, triggers: [], ...document }), limits: 'high' });
const WAITS: JsonObject = {
  wait_for: { triggers: [{ type: 'feature', device: 'go', key: 'open', to: true }], timeout_s: 100 },
};
const OTHERS: readonly [Automation, Automation, Automation, Automation] = [
  rule('idle', { steps: [] }),
  rule('teller', { steps: [{ notify: { severity: 'info', title: 'It runs' } }] }),
  rule('opener', { allow_sensitive: ['door'], steps: [set({ devices: ['door'] }, { locked: false })] }),
  rule('sleeper', { steps: [{ delay: { s: 3_600 } }] }),
];

/** The deed with a lamp and a lock of its own, so that all can be done in one home. */
function apart<Part>(part: Part, at: number): Part {
  const text = JSON.stringify(part).replace(/(?<=")(lamp|lock|actor)(?=[" ])/g, `$1-${at}`);
  return JSON.parse(text) as Part;
}

/** The real engine and the real rule of rights, with an automation for each deed. */
async function openHome() {
  let signing: Signing = null;
  const keeper = { ...userOf('owner'), id: KEEPER };
  const actors = ALL.map(([, , { before = [], steps }], at) =>
    rule(`actor-${at}`, apart({ allow_sensitive: ['lock'], steps: [...before, WAITS, ...steps] }, at)),
  );
  const isOther = (id: string): boolean => OTHERS.some((one) => one.id === id);
  const lampOf = (deed: string): string => `lamp-${ALL.findIndex(([, name]) => name === deed)}`;
  const closed = { door: { locked: true }, go: { open: false } };
  const lamps = ALL.map((_, at) => [`lamp-${at}`, { on: false }] as const);
  const locks = ALL.map((_, at) => [`lock-${at}`, { locked: true }] as const);
  const initial = [...lamps, ...locks, ...Object.entries(closed)];
  const typeOf = (id: string): DeviceType =>
    id.startsWith('lock') || id === 'door' ? 'door_lock' : id === lampOf('what fits') ? 'on_off_light' : 'other';
  const home = await createLiveHome({
    devices: Object.fromEntries(initial.map(([id, values]) => [id, { values, type: typeOf(id) }])),
    groups: { both: [lampOf('a group')] },
    scenes: { bright: { [lampOf('a scene')]: { on: true } } },
    people: [SIGNER, KEEPER],
    automations: [...actors, ...OTHERS],
    findSigner: createFindSigner({
      automations: {
        find: (id) => {
          const isKeeper = isOther(id);
          const via = isKeeper || signing?.grant === null ? 'session' : 'api_token';
          const user = isKeeper ? keeper : userOf('guest');
          return { signer: { user, via: { type: via, id: 'token' }, signedAtMs: 0 } } as unknown as AutomationRecord;
        },
      },
      accounts: { findUser: (id) => (id === KEEPER ? keeper : signing?.user), isOver: () => false },
      apiTokens: { findGrant: () => signing?.grant ?? undefined },
    }),
  });
  const number = { type: 'number', min: null, max: null, options: [] } as const;
  await home.hub().variables.addVariable({ key: 'x', name: 'x', ...number, value: 0 });
  const { engine, devices } = home.hub();
  const counts = (): ReadonlyMap<string, number> => {
    const found = new Map<string, number>();
    const see = (line: string): void => void found.set(line, (found.get(line) ?? 0) + 1);
    for (const { text } of home.sent()) see(text);
    home.acts().forEach(see);
    for (const { title } of home.notices) see(`notice ${title}`);
    for (const { outcome, automation: id } of home.traces()) if (outcome === 'stopped') see(`stopped ${id}`);
    return found;
  };
  return {
    idOf: (device: string): string => devices.findDevice(device)?.id ?? '',
    /** Starts the automations, changes their signer while they wait, lets them go on, and says what was seen then. */
    outcomeOf: async (first: Signing, then: Signing) => {
      signing = first;
      for (const [id, values] of initial) home.report(id, values);
      for (const one of [...actors, ...OTHERS]) home.hub().save(one);
      // Time fills the buckets of starts.
      await home.time.advance(5_000);
      const starts = [OTHERS[3], ...actors].map(({ id }) => engine.run(id, BY_HAND));
      await home.time.advance(500);
      await Promise.all(starts);
      signing = then;
      const [before, suspendedBefore] = [counts(), home.suspended.length];
      home.report('go', { open: true });
      await home.time.advance(1_000);
      const after = counts();
      await engine.stop(OTHERS[3].id);
      return {
        hasShown: (line: string): boolean => (after.get(line) ?? 0) > (before.get(line) ?? 0),
        suspended: home.suspended.slice(suspendedBefore),
      };
    },
  };
}

/** Every role, logged in and with every API token that lacks one right, has all or reaches nothing. */
const SIGNINGS = ROLES.flatMap((role): (readonly [string, Signing])[] => {
  const user = userOf(role);
  return [
    [role, { user, grant: null }],
    [`${role} with all rights`, { user, grant: tokenWith(TOKEN_SCOPES) }],
    ...TOKEN_SCOPES.map((scope): readonly [string, Signing] => {
      const others = TOKEN_SCOPES.filter((one) => one !== scope);
      return [`${role} without ${scope}`, { user, grant: tokenWith(others) }];
    }),
    [`${role} without rooms`, { user, grant: tokenWith(TOKEN_SCOPES, { rooms: new Set(), devices: new Set() }) }],
  ];
});

/** What may happen to each of them while the automation waits. */
const CHANGES = ROLES.flatMap((role): (readonly [string, Signing, Signing])[] => {
  const first = { user: userOf(role), grant: null };
  const script = { user: userOf(role), grant: tokenWith(TOKEN_SCOPES) };
  return [
    [`${role} is removed`, first, null],
    [`the token of ${role} is revoked`, script, null],
    [`${role} is limited to no room`, first, { user: userOf(role, { roomIds: new Set() }), grant: null }],
    ...ROLES.flatMap((other): (readonly [string, Signing, Signing])[] => [
      [`${role} becomes ${other}`, first, { ...first, user: userOf(other) }],
      [`${role} with a token becomes ${other}`, script, { ...script, user: userOf(other) }],
    ]),
  ];
});

test('every kind of step has its deeds', () => {
  const { step } = PART_SHAPES;
  expect(Object.keys(DEEDS).toSorted()).toEqual(Object.keys('words' in step ? step.words : {}).toSorted());
});

test('no kind of step ever does more than its signer may at that moment', async () => {
  const { outcomeOf, idOf } = await openHome();
  const wrong: string[] = [];
  for (const [who, first, then] of [...SIGNINGS.map(([who, one]) => [who, one, one] as const), ...CHANGES]) {
    const { hasShown, suspended } = await outcomeOf(first, then);
    for (const [at, [word, name, deed]] of ALL.entries()) {
      const placeOf = (where: string): string => idOf(apart(where, at));
      const may = mayByHand(then, deed.needs, placeOf);
      const couldBegin = deed.before === undefined || mayByHand(first, deed.needs, placeOf);
      const isDone = hasShown(apart(deed.shows, at));
      if (isDone !== (may && couldBegin)) wrong.push(`${word}, ${name}, ${who}: ${isDone ? 'done' : 'not done'}`);
      const isRefused = deed.needs !== null && couldBegin && !may;
      const why = then === null ? 'SIGNER_GONE' : 'RIGHTS_MISSING';
      const said = suspended.filter((line) => line.startsWith(`actor-${at} `));
      if (hasShown(`notice actor-${at} was suspended`) !== isRefused) wrong.push(`${word}, ${name}, ${who}: not told`);
      if (said.join() !== (isRefused ? `actor-${at} ${why}` : ''))
        wrong.push(`${word}, ${name}, ${who}: ${said.join()}`);
    }
  }
  expect(wrong).toEqual([]);
});
