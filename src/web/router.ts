/*
 * How a page is added:
 * 1. `paths.json`: its name and path. The hub answers with the page's shell on these paths and on no others.
 * 2. `<noun>/<name>-page.tsx`: the component, in a file of its own. It takes `{ params }` and the rest from `useHub()`.
 * 3. `loaded-page.tsx`: one line that loads it. Here, in `RIGHT_OF_PAGE`: the right that it needs.
 * 4. `strings/en/`, and the same file in each other language: its words. Code imports the English ones; the build puts
 *    those of the language in their place. `style/<name>.css`, imported in `style/page.css`: its looks, made of `tokens.css`.
 * A page of the settings takes the same steps and has its row in `hub/settings-menu.ts`.
 * Links are plain `<a href="/…">`; `router.go('/…')` goes there from code.
 */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { Right } from '#web/state/account/rights.ts';
import paths from './paths.json';

export type PageName = keyof typeof paths;
type Params = Readonly<Record<string, string>>;
/** Every page gets the parts of its address that its pattern names. */
export type PageProps = { readonly params: Params };
/** `name` is `null` for a path that the page does not know; `query` is what stands behind the `?`. */
export type Place = {
  readonly name: PageName | null;
  readonly path: string;
  readonly query: string;
  readonly params: Params;
};

/** The right that a page needs. Without it, people see a sentence that says so. */
export const RIGHT_OF_PAGE: Partial<Record<PageName, Right>> = {
  add: 'device:manage',
  history: 'history:read',
  historyLog: 'history:read',
  energy: 'history:read',
  rules: 'automation:read',
  ruleNew: 'automation:manage',
  ruleImport: 'automation:manage',
  ruleTemplates: 'automation:manage',
  ruleTemplate: 'automation:manage',
  rule: 'automation:read',
  ruleRun: 'automation:read',
  welcome: 'hub:manage',
  settingsHub: 'hub:manage',
  settingsGroups: 'device:manage',
  settingsPlace: 'hub:manage',
  settingsModes: 'hub:manage',
  settingsPeople: 'user:manage',
  settingsPersonAdd: 'user:manage',
  settingsPerson: 'user:manage',
  settingsIntegrations: 'hub:manage',
  settingsIntegration: 'hub:manage',
  settingsSetup: 'hub:manage',
  settingsEnergy: 'hub:manage',
  settingsExporters: 'hub:manage',
  settingsExporterAdd: 'hub:manage',
  settingsExporter: 'hub:manage',
  settingsHistory: 'hub:manage',
  settingsHealth: 'system:read',
  settingsBackup: 'system:manage',
  settingsAudit: 'system:manage',
};

export type Router = {
  readonly place: ReadonlySignal<Place>;
  /** A change of the query alone stays on the page, which keeps its focus and its place. */
  readonly go: (address: string, how?: 'push' | 'replace') => void;
  /** While something is held, another page is shown only after `leave`; `null` holds nothing. */
  readonly hold: (ask: ((leave: () => void) => void) | null) => void;
};

/** The page of an address: a path, with or without a query. */
export function placeOf(address: string): Place {
  const [path = '', ...rest] = address.split('?');
  const query = rest.join('?');
  const parts = path.split('/');
  for (const [name, pattern] of Object.entries(paths) as [PageName, string][]) {
    const wanted = pattern.split('/');
    if (wanted.length !== parts.length) continue;
    const isFit = wanted.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]));
    if (!isFit) continue;
    const params = wanted.flatMap((part, index) =>
      part.startsWith(':') ? [[part.slice(1), decode(parts[index] ?? '')]] : [],
    );
    return { name, path, query, params: Object.fromEntries(params) as Params };
  }
  return { name: null, path, query, params: {} };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    if (cause instanceof URIError) return part;
    throw cause;
  }
}

/** Follows the address bar, and handles clicks on links to its own pages. */
export function startRouter(page: Window): Router {
  const presentPlace = (): Place => placeOf(page.location.pathname + page.location.search);
  const place = signal(presentPlace());
  /** The heading of the next page takes the focus only if nothing else has it. */
  const leave = (): void => {
    if (page.document.activeElement instanceof HTMLElement) page.document.activeElement.blur();
  };
  let held: Parameters<Router['hold']>[0] = null;
  const askToLeave = (onward: () => void): void =>
    held?.(() => {
      held = null;
      onward();
    });
  const go: Router['go'] = (address, how = 'push') => {
    const { path, query } = place.peek();
    const next = placeOf(address);
    const isSamePage = next.path === path;
    if (isSamePage && next.query === query) return;
    if (held !== null && !isSamePage) return askToLeave(() => go(address, how));
    // Keeps the scroll position for the way back.
    page.history.replaceState({ scrollY: page.scrollY }, '');
    const scrollY = isSamePage ? page.scrollY : 0;
    page.history[how === 'push' ? 'pushState' : 'replaceState']({ scrollY }, '', address);
    if (!isSamePage) leave();
    place.value = next;
    if (!isSamePage) page.scrollTo(0, 0);
  };
  page.history.scrollRestoration = 'manual';
  page.addEventListener('popstate', ({ state }) => {
    const next = presentPlace();
    const { path, query } = place.peek();
    if (held !== null && next.path !== path) {
      page.history.pushState({ scrollY: page.scrollY }, '', query === '' ? path : `${path}?${query}`);
      // The page that was asked for is the one before this now, whichever way it was.
      return askToLeave(() => page.history.back());
    }
    if (next.path !== path) leave();
    place.value = next;
    const { scrollY = 0 } = (state ?? {}) as { readonly scrollY?: number };
    // After the page is drawn.
    requestAnimationFrame(() => requestAnimationFrame(() => page.scrollTo(0, scrollY)));
  });
  page.document.addEventListener('click', (event) => {
    const { button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented } = event;
    if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    const link = (event.target as Element).closest('a');
    const address = link?.getAttribute('href') ?? '';
    if (link === null || link.target !== '' || placeOf(address).name === null) return;
    event.preventDefault();
    go(address);
  });
  return { place, go, hold: (ask) => (held = ask) };
}
