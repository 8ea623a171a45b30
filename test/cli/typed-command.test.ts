import { expect, test } from 'vitest';
import { publicCommand, typedCommand } from '#cli/typed-command.ts';
import { loadConfig } from '#config/load-config.ts';

type Case = { installed?: boolean; file?: string; env?: Record<string, string>; stateDir?: string };
const CHECKOUT = '/home/ada/hub';

function commandsOf({ installed = false, file = `${CHECKOUT}/dist/hearthd.mjs`, env = {}, stateDir }: Case): string[] {
  const loaded = loadConfig({ environment: env, stateDir, installed });
  if (!loaded.ok) throw new Error(loaded.problems.join());
  const place = { installed, file, folder: CHECKOUT };
  return [typedCommand(place, loaded.config), publicCommand(place, loaded.config)];
}

test.each<[how: string, Case & { shown?: string }, typed: string]>([
  ['as the package installs it', { installed: true }, 'sudo hearthd'],
  ['as its unit starts it', { installed: true, env: { STATE_DIRECTORY: '/var/lib/hearthd' } }, 'sudo hearthd'],
  ['from a checkout', {}, 'node dist/hearthd.mjs'],
  ['with a state folder there', { stateDir: `${CHECKOUT}/two` }, 'node dist/hearthd.mjs --state-dir two'],
  ['with the folder itself', { stateDir: CHECKOUT }, 'node dist/hearthd.mjs --state-dir .'],
  [
    'with one of the environment, elsewhere',
    { env: { HEARTHD_STATE_DIR: '/srv/hub' }, shown: 'node dist/hearthd.mjs --state-dir FOLDER' },
    'node dist/hearthd.mjs --state-dir /srv/hub',
  ],
  [
    'from another folder',
    { file: '/home/eve/secret project/hearthd.mjs', shown: 'node hearthd.mjs' },
    "node '/home/eve/secret project/hearthd.mjs'",
  ],
  [
    'with a name that a shell would read otherwise',
    { stateDir: `${CHECKOUT}/it's $HOME` },
    "node dist/hearthd.mjs --state-dir 'it'\\''s $HOME'",
  ],
])('a hub %s is called by a command that works there, and the network learns no folder elsewhere', (_, how, typed) => {
  expect(commandsOf(how)).toEqual([typed, how.shown ?? typed]);
});
