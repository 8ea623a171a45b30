import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { checkDefinition } from '#core/automation/check/check-definition.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import { DEFINITION_LIMITS } from '#core/automation/document/definition.ts';
import { readDefinition } from '#core/automation/document/read-definition.ts';
import type { Automation } from '#core/automation/registry/automation-record.ts';
import { compileProgram } from '#core/automation-run/program/program.ts';
import { changedDocument } from '#test/support/automation/changed-documents.ts';
import { KNOWN_HOME } from '#test/support/automation/known-home.ts';
import { createLiveHome, type LiveHome } from '#test/support/automation/live-home.ts';
import { automation } from '#test/support/automation/virtual-home.ts';
import { interleave, recordFigure } from '#test/bench/support/figure.ts';

const DEVICES = Object.fromEntries(
  Array.from({ length: 200 }, (_, at) => [`meter-${at}`, { values: { power: 0, voltage: 230 } }]),
);
/** Each looks at the power of one device, and finds that it is not high enough. */
const AUTOMATIONS: readonly Automation[] = Array.from({ length: 1_000 }, (_, at) =>
  automation(`a${at}`, {
    triggers: [{ id: 't1', type: 'threshold', device: `meter-${at % 200}`, key: 'power', above: 1_000_000 }],
    steps: [],
  } as never),
);
const CHANGES = 20_000;

/** Microseconds for each change. So many of a hundred are of the power, at which five automations look. */
async function costOf(home: LiveHome, matching: number): Promise<number> {
  const began = process.cpuUsage();
  for (let at = 0; at < CHANGES; at += 1) {
    const key = at % 100 < matching ? 'power' : 'voltage';
    home.report(`meter-${at % 200}`, { [key]: Math.random() * 1_000 });
    if (at % 100 === 99) await new Promise((resolve) => void setImmediate(resolve));
  }
  const { user, system } = process.cpuUsage(began);
  return (user + system) / CHANGES;
}

test('a thousand automations cost a change that none of them watches next to nothing', async () => {
  const [none, many] = [
    await createLiveHome({ devices: DEVICES }),
    await createLiveHome({ devices: DEVICES, automations: AUTOMATIONS }),
  ];
  for (const home of [none, many]) await costOf(home, 10);
  const cost = await interleave({
    none: () => costOf(none, 0),
    zero: () => costOf(many, 0),
    one: () => costOf(many, 1),
    ten: () => costOf(many, 10),
  });
  const reference = `without automations ${cost.none.toFixed(1)} µs`;
  recordFigure({
    what: 'state change in the registry, 1,000 automations, none looks: CPU',
    hub: `${cost.zero.toFixed(1)} µs`,
    reference,
    ratio: cost.zero / cost.none,
  });
  for (const [share, us] of [
    ['1 %', cost.one],
    ['10 %', cost.ten],
  ] as const) {
    const what = `the same, at ${share} of the changes five automations look`;
    recordFigure({ what, hub: `${us.toFixed(1)} µs`, reference, ratio: us / cost.none });
  }
  for (const home of [none, many]) home.hub().end();
  expect(cost.zero - cost.none).toBeLessThan(3);
});

const COMPILE_MS = 5;
const DOCUMENTS_COUNT = 2_000;
/** As many triggers, conditions and steps as one may have. */
const LARGEST: JsonObject = {
  triggers: Array.from({ length: DEFINITION_LIMITS.triggers }, () => ({
    type: 'threshold',
    device: 'hall-lux',
    key: 'temperature',
    above: 5,
  })),
  conditions: Array.from({ length: DEFINITION_LIMITS.conditions }, (_, at) => ({
    feature: { device: 'hall-lux', key: 'temperature', above: { add: [1, 2, 3, { mul: [at, 2] }] } },
  })),
  steps: Array.from({ length: DEFINITION_LIMITS.steps }, (_, at) => ({
    command: { targets: { devices: ['hall-lamp'] }, set: { brightness: { add: [1, 2, 3, { mul: [at % 9, 2] }] } } },
  })),
};

/** Milliseconds to read, check and compile it: the least of several times, as a busy machine only adds to it. */
function compileMsOf(document: JsonObject): number {
  const taken = Array.from({ length: 5 }, () => {
    const startMs = performance.now();
    const { definition } = readDefinition(document, (_kind, reference) => reference);
    if (definition !== undefined) {
      checkDefinition(definition, KNOWN_HOME);
      compileProgram({ id: 'rule' as AutomationId, version: 1, definition });
    }
    return performance.now() - startMs;
  });
  return Math.min(...taken);
}

test('any document is read, checked and compiled within 5 ms', () => {
  const changed = fc.sample(changedDocument, { seed: 1, numRuns: DOCUMENTS_COUNT }).map(compileMsOf);
  for (const [what, slowest] of [
    [`the slowest of ${DOCUMENTS_COUNT} documents changed at random`, Math.max(...changed)],
    ['a document at its limits', compileMsOf(LARGEST)],
  ] as const) {
    recordFigure({
      what: `to read, check and compile ${what}`,
      hub: `${slowest.toFixed(2)} ms`,
      reference: `${COMPILE_MS} ms`,
      ratio: slowest / COMPILE_MS,
      target: { atMost: 1 },
    });
  }
  expect(readDefinition(LARGEST, (_kind, reference) => reference).errors).toEqual([]);
});
