import type { HubProcess, Tokens } from '#test/support/daemon/hub-process.ts';
import paths from '#web/paths.json' with { type: 'json' };
import { furnishShownHome } from './shown-home.ts';

/** Are not reached by a person who is logged in. */
const ELSEWHERE = new Set(['login', 'setup', 'wall']);
const SHOWN = 'bedroom-climate/temperature,living-room-thermostat/temperature,grid-meter/energy,hallway-ceiling/on';

/** The home of `furnishShownHome` with a group and an export; returns a path for each page, and more where one page has many faces. */
export async function furnishLookedHome(hub: HubProcess, tokens: Tokens): Promise<readonly string[]> {
  await furnishShownHome(hub, tokens);
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const { status, json } = await hub.ask(method, `/api/v1${path}`, { token: tokens.access_token, body });
    if (status >= 300) throw new Error(`${method} ${path} was answered with ${status}: ${JSON.stringify(json)}`);
    return json;
  };
  const idOf = (json: unknown): string => (json as { readonly id: string }).id;
  // The machine of the test may have a full disk.
  await ask('PATCH', '/notification/settings', { built_in: { disk_nearly_full: false } });
  await ask('POST', '/group', { name: 'Downstairs', members: ['kitchen-ceiling', 'hallway-ceiling'] });
  const url = 'http://127.0.0.1:9/write?db=home';
  const exporter = idOf(await ask('POST', '/exporter', { type: 'line_protocol', name: 'Influx', url, enabled: false }));
  const [person] = (await ask('GET', '/user')) as readonly unknown[];
  const runs = await ask('GET', '/automation/light-in-the-hallway/run');
  const [run] = (runs as { readonly runs: readonly unknown[] }).runs;
  const rule = '/rule/light-in-the-hallway';
  const examples: Readonly<Record<string, readonly string[]>> = {
    device: [
      'living-room-lamp',
      'living-room-thermostat',
      'living-room-blind',
      'front-door-lock',
      'bedroom-climate',
      'living-room-remote',
      'downstairs',
      'none',
    ].map((selector) => `/device/${selector}`),
    room: ['/room/kitchen'],
    history: ['/history', `/history?f=${SHOWN}`, `/history?f=${SHOWN}&from=-30d&view=table`],
    scene: ['/scene/movie-night', '/scene/all-off'],
    ruleTemplate: ['/rule_template/motion-light'],
    rule: [rule, `${rule}?view=edit`, `${rule}?view=past`, `${rule}?view=versions`],
    ruleRun: [`${rule}/run/${idOf(run)}`],
    welcome: ['/welcome', '/welcome?devices'],
    settingsPerson: [`/settings/people/${idOf(person)}`, '/settings/people/none'],
    settingsIntegration: ['/settings/integrations/simulated-home', '/settings/integrations/zigbee2mqtt'],
    settingsSetup: ['/settings/integrations/setup/anything'],
    settingsExporter: [`/settings/exporters/${exporter}`],
  };
  return Object.entries(paths).flatMap(([name, path]) => {
    if (ELSEWHERE.has(name)) return [];
    if (path.includes(':') && examples[name] === undefined) throw new Error(`there is no example of ${path}`);
    return examples[name] ?? [path];
  });
}
