import { expect, test } from 'vitest';
import type { UserChange } from '#auth/account/accounts.ts';
import type { JsonObject } from '#base/json.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import { opensAtEnd } from '#test/support/automation/oracle/oracle-chains.ts';
import { PLAIN_SCOPES } from '#test/support/automation/rights/chain-acts.ts';
import { openRigHome } from '#test/support/automation/rights/rig-home.ts';
import { createDice } from '#test/support/machine/dice.ts';
import { drawSeed, runs } from '#test/support/machine/runs.ts';
import { idOf as reasonOf } from '#core/automation-run/trace/run-reason.ts';

const COUNT = 7;
const WORDS = ['run', 'enable', 'disable', 'stop'] as const;

/** What one does: whether it opens the door itself, and what it does with others, itself too. */
type Node = {
  readonly opens: boolean;
  readonly does: readonly { readonly word: (typeof WORDS)[number]; readonly to: number }[];
  readonly isEnabled: boolean;
};

/** A hub with automations that name one another in every way, and tokens that may do all with them but open doors. */
async function openGraph() {
  const rig = await openRigHome();
  const { addToken, home } = rig.hub();
  const { user, token: owner } = rig.owner;
  const script = await addToken(user, { scopes: PLAIN_SCOPES });
  const number = { type: 'number', min: null, max: null, options: [], value: 0 } as const;
  await home.variables.addVariable({ key: 'go', name: 'go', ...number });
  const ids: string[] = [];
  for (let at = 0; at < COUNT; at += 1) {
    const body = { name: `n${at}`, triggers: [], steps: [{ delay: { s: 1 } }] };
    ids.push((await rig.made('POST /automation', { token: owner, body }))['id'] ?? '');
  }
  const nodes: Node[] = Array.from({ length: COUNT }, () => ({ opens: false, does: [], isEnabled: true }));
  const stepsOf = ({ opens, does }: Node): JsonObject[] => [
    // Nothing goes on before the test has looked.
    { wait_for: { timeout_s: 600, then: 'stop', triggers: [{ type: 'variable', variable: 'go', to: 1 }] } },
    ...does.map(({ word, to }, at): JsonObject => {
      const step = { automation: { automation: ids[to] ?? '', do: word } };
      return at % 2 === 0 ? step : { parallel: { branches: [[step], [{ delay: { s: 1 } }]] } };
    }),
    ...(opens ? [{ command: { targets: { devices: [rig.idOf('lock')] }, set: { locked: false } } }] : []),
  ];
  const documentOf = (node: Node): JsonObject => ({
    triggers: node.opens ? [] : [{ id: 'ring', type: 'hook' }],
    ...(node.opens ? { allow_sensitive: [rig.idOf('lock')] } : {}),
    steps: stepsOf(node),
  });
  return {
    ...rig,
    owner,
    script,
    ids,
    documentOf,
    opens: (at: number): boolean =>
      opensAtEnd(
        nodes.map(({ opens, does }) => {
          return { opens, starts: does.flatMap(({ word, to }) => (word === 'run' || word === 'enable' ? [to] : [])) };
        }),
        at,
      ),
    put: async (at: number, node: Node): Promise<void> => {
      nodes[at] = node;
      await rig.made(`PUT /automation/${ids[at]}`, { token: owner, body: documentOf(node) });
      const word = node.isEnabled ? 'enable' : 'disable';
      await rig.made(`POST /automation/${ids[at]}/${word}`, { token: owner });
    },
    node: (at: number): Node => nodes[at] ?? { opens: false, does: [], isEnabled: true },
  };
}

type Graph = Awaited<ReturnType<typeof openGraph>>;
type Draw = (below: number) => number;

function drawNode(draw: Draw): Node {
  return {
    opens: draw(6) === 0,
    does: Array.from({ length: draw(3) }, () => ({ word: WORDS[draw(8)] ?? 'run', to: draw(COUNT) })),
    isEnabled: draw(5) > 0,
  };
}

/** Where the hub lets the script do something with the automation, or not. */
async function refusalsOf({ call, script, ids, node, documentOf, hub }: Graph, at: number) {
  const path = `/automation/${ids[at]}`;
  const isRefused = async (line: string, body?: JsonObject): Promise<boolean> =>
    (await call(line, { token: script, ...(body && { body }) })).status === 403;
  return {
    asked: hub().home.automations.opens(ids[at] as AutomationId),
    saving: await isRefused(`PUT ${path}`, documentOf(node(at))),
    naming: await isRefused('POST /automation', {
      name: 'x',
      triggers: [],
      steps: [{ automation: { automation: ids[at] ?? '', do: 'run' } }],
    }),
    starting: await isRefused(`POST ${path}/run`),
    enabling: await isRefused(`POST ${path}/enable`),
    // What a hook opens needs a condition, which is no matter of this test.
    ...(node(at).opens
      ? {}
      : {
          hooking: await isRefused(`POST ${path}/hook/ring`, {}),
          secret: await isRefused(`PUT ${path}/hook/ring/secret`),
        }),
  };
}

/** Whether the start inside of one that the script started is refused, after others have changed meanwhile. */
async function isRefusedInside(graph: Graph, at: number, change: () => Promise<void>): Promise<boolean> {
  const { made, script, owner, ids, pass, hub } = graph;
  const steps = [
    { wait_for: { timeout_s: 600, triggers: [{ type: 'variable', variable: 'go', to: 1 }] } },
    { automation: { automation: ids[at] ?? '', do: 'run' } },
  ];
  const { id } = await made('POST /automation', { token: owner, body: { name: 'outer', triggers: [], steps } });
  const { run } = await made(`POST /automation/${id}/run`, { token: script });
  await change();
  await made('PUT /variable/go', { token: owner, body: { value: 1 } });
  await pass(500);
  const reason =
    hub()
      .home.runHistory.runs.find(run ?? '')
      ?.steps.at(-1)?.reason ?? null;
  await made('PUT /variable/go', { token: owner, body: { value: 0 } });
  await made(`DELETE /automation/${id}`, { token: owner });
  expect([null, { id: 'CAUSE_NOT_ALLOWED', with: {} }]).toContainEqual(reason);
  return reason !== null;
}

test('what one opens at the end is the same at saving, starting, hooking, enabling, and at a start inside', async () => {
  const dice = createDice(drawSeed());
  const draw: Draw = (below) => Math.floor(dice() * below);
  const graph = await openGraph();
  const { opens, put, pass, hub } = graph;
  const change = async (): Promise<void> => {
    for (const at of [draw(COUNT), draw(COUNT)]) await put(at, drawNode(draw));
  };
  const failed: unknown[] = [];
  for (let turn = runs(800, 40); turn > 0; turn -= 1) {
    await change();
    const at = draw(COUNT);
    const refusals = await refusalsOf(graph, at);
    if (Object.values(refusals).some((one) => one !== opens(at))) failed.push([at, opens(at), refusals]);
    const inner = draw(COUNT);
    if (!opens(inner)) {
      const isRefused = await isRefusedInside(graph, inner, change);
      if (isRefused !== opens(inner)) failed.push(['inside', inner, opens(inner)]);
    }
    const { automations, automationEngine } = hub().home;
    for (const { id, name } of automations.automations()) {
      await automationEngine.stop(id);
      if (name === 'x') await automations.remove(id);
    }
    await pass(3_000);
  }
  expect(failed).toEqual([]);
});

test('who started it by name and loses the right in the meantime opens nothing by it', async () => {
  const { hub, owner, during, made, report, idOf, pass, takeMoved } = await openRigHome();
  const { addPerson, home } = hub();
  const opens = { command: { targets: { devices: [idOf('lock')] }, set: { locked: false } } };
  const document = { name: 'late', allow_sensitive: [idOf('lock')], triggers: [], steps: [{ delay: { s: 5 } }, opens] };
  const { id = '' } = await made('POST /automation', { token: owner.token, body: document });
  const resident = await during(addPerson('rex', 'resident'));
  const start = async (): Promise<string | null> => {
    const { run = '' } = await made(`POST /automation/${id}/run`, { token: resident.token });
    await pass(2_000);
    return run;
  };
  await start();
  await pass(10_000);
  expect([...takeMoved()]).toEqual(['lock']);
  const changes: readonly UserChange[] = [{ role: 'guest' }, { role: 'resident', roomIds: new Set() }];
  for (const change of changes) {
    report('lock', { locked: true });
    await during(home.accounts.updateUser(resident.user.id, { role: 'resident', roomIds: null }));
    const run = await start();
    await during(home.accounts.updateUser(resident.user.id, change));
    await pass(10_000);
    expect([...takeMoved()]).toEqual([]);
    const { steps = [], outcome } = home.runHistory.runs.find(run ?? '') ?? {};
    expect([outcome, reasonOf(steps.at(-1)?.reason ?? null)]).toEqual(['finished', 'CAUSE_NOT_ALLOWED']);
    expect(home.automations.find(id)?.suspended).toBeNull();
  }
});
