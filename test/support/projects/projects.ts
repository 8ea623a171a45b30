import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/*
 * Which test files run together. A file is `fast` unless it needs more: what it imports, itself or through test/support,
 * says whether it starts processes, threads or builds. Only what no import can say is listed here, with the reason.
 */

/** Keep the processor busy for long, and judge by results or by processor time: two at once. */
const CAMPAIGNS: readonly string[] = [
  'test/storage/history/reference-day.test.ts',
  'test/core/automation-run/oracle.test.ts',
  'test/fault/power-cut.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/fault/one-failure.test.ts',
  'test/fuzz/mqtt.test.ts',
  'test/fuzz/instruments.test.ts',
  'test/auth/sign-in/login-siege.test.ts',
];

/** Wait most of the time for the periods of other programs, which no test can make shorter: more at once than cores. */
const WAITING: readonly string[] = [
  'test/e2e/clock.test.ts',
  'test/e2e/energy/energy-clock.test.ts',
  'test/e2e/lan/advertise.test.ts',
  'test/e2e/lan/browse.test.ts',
  'test/e2e/matter/both.test.ts',
  'test/e2e/matter/bridge-state.test.ts',
  'test/e2e/matter/bridge.test.ts',
  'test/e2e/matter/chip.test.ts',
  'test/e2e/matter/clock.test.ts',
  'test/e2e/matter/controller-disk.test.ts',
  'test/e2e/matter/controller.test.ts',
  'test/e2e/matter/hostile.test.ts',
  'test/e2e/matter/joining.test.ts',
  'test/e2e/matter/sleeper.test.ts',
  'test/e2e/provider.test.ts',
  'test/e2e/zigbee2mqtt/automations.test.ts',
  'test/e2e/zwave/network.test.ts',
  'test/http/server/slow-upload.test.ts',
];

/** Measure time or memory, or need the whole machine: one after the other, after all others. */
const ALONE: readonly string[] = [
  'test/e2e/lan/connection-flood.test.ts',
  'test/e2e/lan/login-siege.test.ts',
  'test/e2e/lan/mdns-attack.test.ts',
  'test/e2e/page/large-home.test.ts',
  'test/e2e/page/live.test.ts',
  'test/e2e/page/silence.test.ts',
  'test/e2e/page/tabs.test.ts',
  'test/e2e/zigbee2mqtt/house.test.ts',
  'test/e2e/zigbee2mqtt/mqtt-storm.test.ts',
  'test/e2e/zigbee2mqtt/too-many-devices.test.ts',
  'test/fault/kill.test.ts',
  'test/http/server/slow-clients.test.ts',
  'test/integrations/zigbee2mqtt/large-home.test.ts',
  'test/soak/soak.test.ts',
  'test/storage/thread/storage-worker.test.ts',
];

/** Wait for the kernel's buffers, for time-outs of packages, for the disk, or for a process that src starts: too long for `fast`. */
const SLOW: readonly string[] = [
  'test/hub/integration/programs.test.ts',
  'test/http/event/stream.test.ts',
  'test/http/server/raw-request.test.ts',
  'test/http/server/send-answer.test.ts',
  'test/integrations/mqtt/mqtt-connection.test.ts',
  'test/lan/client/idle.test.ts',
  'test/storage/engine/backups.test.ts',
  'test/storage/engine/recover.test.ts',
  'test/storage/history/block-codec.test.ts',
  'test/storage/history/damage.test.ts',
  'test/storage/journal/last-values.test.ts',
];

/** Need a program that is not installed with the others: run only where its variable says where it is. */
const ONLY_WITH: Readonly<Record<string, readonly string[]>> = {
  HEARTHD_HOME_ASSISTANT: ['test/integrations/home-assistant-discovery/offering-real.test.ts'],
};

/** Packages without which no process, thread or build can be started, and the one that looks into V8's counters. */
const STARTS_MORE = /from '(?:node:child_process|node:worker_threads|node:inspector|esbuild)'/;

export type Projects = Readonly<Record<'real' | 'waiting' | 'campaign' | 'alone' | 'lacking', readonly string[]>>;

/**
 * The files of each project below `root`; all others are `fast`. Those that are `lacking` their program run in none.
 * Throws for a listed file that is not there.
 */
export function readProjects(root: string): Projects {
  const files = [...testFilesBelow(root, 'test')];
  const listed = [...WAITING, ...CAMPAIGNS, ...ALONE, ...SLOW];
  const lacking = Object.entries(ONLY_WITH).flatMap(([name, paths]) => ((process.env[name] ?? '') === '' ? paths : []));
  const missing = [...listed, ...Object.values(ONLY_WITH).flat()].filter((path) => !files.includes(path));
  if (missing.length > 0) throw new Error(`projects.ts lists files that are not there: ${missing.join(', ')}`);
  const startsMore = createImportSearch(root);
  const real = files.filter((path) => SLOW.includes(path) || (!listed.includes(path) && startsMore(path)));
  return { real, waiting: WAITING, campaign: CAMPAIGNS, alone: ALONE, lacking };
}

/** Not into installed packages, which have a hundred times as many files. */
function* testFilesBelow(root: string, folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isFile() && path.endsWith('.test.ts')) yield path;
    if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== 'venv')
      yield* testFilesBelow(root, path);
  }
}

/** Says of a file below test/ whether it, or a file of test/ that it imports, starts more than functions. */
function createImportSearch(root: string): (path: string) => boolean {
  const known = new Map<string, boolean>();
  const search = (path: string): boolean => {
    const before = known.get(path);
    if (before !== undefined) return before;
    // For a circle of imports the answer is that of the other files in it.
    known.set(path, false);
    const text = readFileSync(join(root, path), 'utf8');
    const imported = [...text.matchAll(/from '(#test\/|\.\/)([^']+\.ts)'/g)].map(([, start, rest = '']) =>
      start === './' ? join(dirname(path), rest) : `test/${rest}`,
    );
    const found = STARTS_MORE.test(text) || imported.some(search);
    known.set(path, found);
    return found;
  };
  return search;
}
