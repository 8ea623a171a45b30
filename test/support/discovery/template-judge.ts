import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { valueFromJson } from '#integrations/home-assistant-discovery/template/json.ts';
import type { Value } from '#integrations/home-assistant-discovery/template/value.ts';
import { renderTemplate, variablesOfPayload } from '#test/support/discovery/render-template.ts';

/** A template with the payloads that it meets (`p`) or the values that it is given as a command template (`v`). */
export type TemplateCase = { readonly t: string; readonly p?: readonly string[]; readonly v?: readonly unknown[] };

/** What Home Assistant makes of it: a text, or which kind of error. */
export type Judgement = string | { readonly e: 'template' | 'python' | 'syntax' };

/** Asks the real Jinja2 of Home Assistant; `python` is the one of an environment that has the package homeassistant. */
export function askJinja(python: string, cases: readonly TemplateCase[]): readonly (readonly Judgement[])[] {
  const input = cases.map((one) => `${JSON.stringify(one)}\n`).join('');
  const judge = join(import.meta.dirname, 'jinja_judge.py');
  const asked = spawnSync(python, [judge], { input, encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (asked.status !== 0) throw new Error(`the judge failed: ${asked.stderr.slice(-1_000)}`);
  return asked.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Judgement[]);
}

export type Comparison = {
  readonly sameText: number;
  readonly sameError: number;
  /** What this interpreter refuses, whatever the judge makes of it. */
  readonly refused: number;
  readonly different: readonly string[];
};

/** Renders all of them and compares. */
export function compareWithJinja(
  cases: readonly TemplateCase[],
  judged: readonly (readonly Judgement[])[],
): Comparison {
  let [sameText, sameError, refused] = [0, 0, 0];
  const different: string[] = [];
  cases.forEach((one, index) => {
    const inputs = one.p ?? one.v ?? [];
    inputs.forEach((input, at) => {
      const wanted = judged[index]?.[at] ?? '';
      const got = renderTemplate(one.t, variablesOf(one, input));
      if ('fault' in got && (got.fault === 'outside' || got.fault === 'budget')) refused += 1;
      else if ('text' in got && got.text === wanted) sameText += 1;
      else if ('fault' in got && isSameError(got.fault, wanted)) sameError += 1;
      else
        different.push(
          `${JSON.stringify(one.t)} with ${JSON.stringify(input)} is ${JSON.stringify(wanted)}, not ${JSON.stringify(got)}`,
        );
    });
  });
  return { sameText, sameError, refused, different };
}

/** Jinja2 finds some errors in constants when it reads the template; here they show when they are reached. */
function isSameError(fault: string, wanted: Judgement): boolean {
  return typeof wanted === 'object' && (wanted.e === fault || wanted.e === 'syntax');
}

function variablesOf(one: TemplateCase, input: unknown): ReadonlyMap<string, Value> {
  if (one.p === undefined) return new Map([['value', valueFromJson(JSON.stringify(input)) ?? null]]);
  return variablesOfPayload(String(input));
}

export type OracleStep = {
  readonly publish?: OracleMessage | readonly OracleMessage[];
  readonly call?: string;
  readonly of?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  /** Time that passes after the messages. */
  readonly wait_s?: number;
};
/** A payload of `{"base64": …}` is these bytes. */
export type OracleMessage = { readonly topic: string; readonly payload: unknown; readonly retain?: boolean };
export type OracleCase = {
  readonly name: string;
  readonly source: string;
  readonly steps: readonly OracleStep[];
  readonly answers: readonly Readonly<Record<string, unknown>>[];
};

/** What Home Assistant 2025.4.4 made of the messages of many publishers. */
export function readCorpus(): readonly OracleCase[] {
  return readLines('corpus.jsonl.gz') as readonly OracleCase[];
}

/** What it made of the hub's own cases. */
export function readOwnCases(): readonly OracleCase[] {
  return readLines('own.jsonl.gz') as readonly OracleCase[];
}

export function readLines(name: string): readonly unknown[] {
  const packed = readFileSync(join(import.meta.dirname, '../../fixtures/home-assistant', name));
  return gunzipSync(packed)
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

/** The templates of a discovery message, at any depth. */
export function templatesIn(message: unknown): readonly string[] {
  if (typeof message === 'string') return /\{[{%]/.test(message) ? [message] : [];
  if (typeof message !== 'object' || message === null) return [];
  return Object.values(message).flatMap(templatesIn);
}
