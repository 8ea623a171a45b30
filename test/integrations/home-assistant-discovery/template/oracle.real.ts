import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  askJinja,
  compareWithJinja,
  readCorpus,
  readLines,
  templatesIn,
  type Judgement,
  type TemplateCase,
} from '#test/support/discovery/template-judge.ts';
import { COMMAND_VALUES, createTemplateMaker, PAYLOADS } from '#test/support/discovery/template-cases.ts';
import { createDice } from '#test/support/machine/dice.ts';
import { drawSeed, runs } from '#test/support/machine/runs.ts';

/*
 * The interpreter beside the real Jinja2 of Home Assistant 2025.4.4. The fixture has what that one said; with
 * HEARTHD_HOME_ASSISTANT=VENV/bin/python it is asked about new templates, and HEARTHD_TEST_RENEW=1 writes the fixture anew.
 * VENV is an environment of Python 3.13 with `pip install homeassistant==2025.4.4`.
 */

const PYTHON = process.env['HEARTHD_HOME_ASSISTANT'] ?? '';
/** Empty where nobody can be asked, so that nothing is skipped there. */
const ASKED = PYTHON === '' ? [] : [PYTHON];
const RENEWED = process.env['HEARTHD_TEST_RENEW'] === '1' ? ASKED : [];
const FIXTURE = 'templates.jsonl.gz';
const INPUTS = 8;

type Judged = { readonly case: TemplateCase; readonly said: readonly Judgement[] };

function randomCases(seed: number, count: number): readonly TemplateCase[] {
  const random = createDice(seed);
  const maker = createTemplateMaker(random);
  const inputOf = <T>(all: readonly T[], limit: number): T => all[Math.floor(random() * limit)] as T;
  return Array.from({ length: count }, (_, at) => {
    const t = maker.template();
    if (at % 10 === 0)
      return { t, v: Array.from({ length: INPUTS }, () => inputOf(COMMAND_VALUES, COMMAND_VALUES.length)) };
    return { t, p: Array.from({ length: INPUTS }, () => inputOf(PAYLOADS, random() < 0.75 ? 6 : PAYLOADS.length)) };
  });
}

/** The templates of publishers, each with the payloads of its own case and with others. */
function publishersCases(): readonly TemplateCase[] {
  return readCorpus().flatMap(({ steps }) => {
    const messages = steps.flatMap(({ publish = [] }) => (Array.isArray(publish) ? publish : [publish]));
    const templates = new Set(
      messages.flatMap(({ topic, payload }) => (topic.endsWith('/config') ? templatesIn(payload) : [])),
    );
    const states = messages.flatMap(({ topic, payload }) =>
      topic.endsWith('/config') ? [] : [typeof payload === 'string' ? payload : JSON.stringify(payload)],
    );
    const p = [...new Set([...states, ...PAYLOADS])];
    return [...templates].map((t) => ({ t, p }));
  });
}

describe('templates mean what they mean in Home Assistant', () => {
  const judged = (): readonly Judged[] => readLines(FIXTURE) as readonly Judged[];

  test('all that it has judged have its text or its kind of error, or are refused', () => {
    const all = judged();
    const { sameText, sameError, refused, different } = compareWithJinja(
      all.map((one) => one.case),
      all.map(({ said }) => said),
    );
    expect(different).toEqual([]);
    expect(sameText + sameError).toBeGreaterThanOrEqual(39_000);
    expect(sameText).toBeGreaterThanOrEqual(14_000);
    expect(refused / (sameText + sameError)).toBeLessThan(0.15);
  });

  test('no template of a publisher is refused', () => {
    const ofPublishers = new Set(publishersCases().map(({ t }) => t));
    const all = judged().filter((one) => ofPublishers.has(one.case.t));
    const { refused, different } = compareWithJinja(
      all.map((one) => one.case),
      all.map(({ said }) => said),
    );
    expect(all.length).toBeGreaterThan(150);
    expect({ refused, different }).toEqual({ refused: 0, different: [] });
  });

  test.each(ASKED)('new templates as well', { timeout: 600_000 }, (python) => {
    const seed = drawSeed();
    const cases = randomCases(seed, runs(5_000));
    const { different } = compareWithJinja(cases, askJinja(python, cases));
    expect({ seed, different }).toEqual({ seed, different: [] });
  });

  test.each(RENEWED)('the fixture is written anew', { timeout: 600_000 }, (python) => {
    const cases = [...new Map([...publishersCases(), ...randomCases(1, 5_000)].map((one) => [one.t, one])).values()];
    const said = askJinja(python, cases);
    const lines = cases.map((one, at) => `${JSON.stringify({ case: one, said: said[at] })}\n`).join('');
    expect(said.length).toBe(cases.length);
    writeFileSync(
      join(import.meta.dirname, '../../../fixtures/home-assistant', FIXTURE),
      gzipSync(lines, { level: 9 }),
    );
  });
});
