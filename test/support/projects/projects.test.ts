import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readProjects } from './projects.ts';

const { real, waiting, campaign, alone } = readProjects(join(import.meta.dirname, '../../..'));

test.each([
  ['starts the program through what it imports', 'test/bundle.test.ts'],
  ['counts the steps of V8', 'test/support/attack/work-count.test.ts'],
  ['is listed as slow', 'test/http/server/send-answer.test.ts'],
])('a file that %s is real', (_, path) => {
  expect(real).toContain(path);
});

test.each(['test/base/json.test.ts', 'test/architecture.test.ts'])('%s is fast', (path) => {
  expect([...real, ...waiting, ...campaign, ...alone]).not.toContain(path);
});

test('a file that needs a program of its own is in no project where its variable does not say where that is', () => {
  const root = join(import.meta.dirname, '../../..');
  const path = 'test/integrations/home-assistant-discovery/offering-real.test.ts';
  vi.stubEnv('HEARTHD_HOME_ASSISTANT', '');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(readProjects(root).lacking).toContain(path);
  vi.stubEnv('HEARTHD_HOME_ASSISTANT', '/opt/venv/bin/python');
  expect(readProjects(root).lacking).not.toContain(path);
});

test('no file has two projects', () => {
  const all = [...real, ...waiting, ...campaign, ...alone];
  expect(all).toHaveLength(new Set(all).size);
});

test('a listed file that is not there is an error that names it', () => {
  const root = mkdtempSync(join(tmpdir(), 'hearthd-projects-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'test'));
  expect(() => readProjects(root)).toThrow('test/soak/soak.test.ts');
});
