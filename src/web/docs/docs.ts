import type { ProblemKind } from '#web/client/api.ts';
import { startAppearance } from '#web/state/appearance.ts';
import { inEnglish } from '#web/strings/hub-text.ts';
import { docs as docsWords } from '#web/strings/en/docs.ts';
import { type Access, createAccess, field } from './access.ts';
import { callView, problemAnchor } from './call-view.ts';
import { code, disclosure, element, english, prose } from './element.ts';
import { type Call, callsOf, type OpenApi, withWordLists } from './open-api.ts';

/** A call with its place on the page. */
type Shown = { readonly call: Call; readonly view: HTMLDetailsElement; readonly words: string };

async function show(main: HTMLElement): Promise<void> {
  const [api, problems] = await Promise.all([
    load<OpenApi>('/api/v1/openapi.json').then(withWordLists),
    // The hub does not list them before it has an owner.
    load<readonly ProblemKind[]>('/problems').catch(() => []),
  ]);
  const access = createAccess();
  const shown = callsOf(api).map((call) => shownOf(api, call, access));
  const search = searchField(shown);
  const sections = api.tags.map(({ name, description }) =>
    element('section', { id: tagAnchor(name), 'aria-label': name }, [
      element('h2', { lang: 'en' }, [name]),
      element('p', { lang: 'en' }, [description]),
      ...shown.filter(({ call }) => call.operation.tags[0] === name).map(({ view }) => view),
    ]),
  );
  main.replaceChildren(
    element('p', { class: 'note' }, [
      `${docsWords.version(api.info.version)} `,
      element('a', { href: '/api/v1/openapi.json' }, ['openapi.json']),
      ' (OpenAPI 3.1).',
    ]),
    guide(),
    disclosure({}, [docsWords.about], () => [english(prose(api.info.description))]),
    access.view,
    navigation(api, problems.length > 0),
    search,
    ...sections,
    ...problemsSection(problems),
  );
  followHash();
}

/** Its code and its text come when somebody opens it. */
function guide(): HTMLElement {
  return disclosure({ id: 'guide' }, [docsWords.guide], () => {
    const place = element('div', { lang: 'en' });
    const show = async (): Promise<void> => (await import('./guide.ts')).showGuide(place);
    show().catch((cause: unknown) => place.replaceChildren(docsWords.notShown(String(cause))));
    return [place];
  });
}

async function load<Value>(path: string): Promise<Value> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`the hub answered ${answer.status}`);
  return (await answer.json()) as Value;
}

function shownOf(api: OpenApi, call: Call, access: Access): Shown {
  const { method, path, operation } = call;
  const words = [method, path, operation.summary, operation.description ?? ''].join(' ').toLowerCase();
  return { call, view: callView(api, call, access), words };
}

function navigation({ tags }: OpenApi, hasProblems: boolean): HTMLElement {
  const linkTo = (anchor: string, name: string, more = {}): HTMLElement =>
    element('li', {}, [element('a', { href: `#${anchor}`, ...more }, [name])]);
  const links = [
    ...tags.map(({ name }) => linkTo(tagAnchor(name), name, { lang: 'en' })),
    ...(hasProblems ? [linkTo('failures', docsWords.failures)] : []),
  ];
  return element('nav', { 'aria-label': docsWords.groups }, [element('ul', {}, links)]);
}

function tagAnchor(name: string): string {
  return `group-${name.toLowerCase()}`;
}

/** Shows only the calls that have every word. */
function searchField(shown: readonly Shown[]): HTMLElement {
  const { view, input } = field(docsWords.find, { type: 'search', placeholder: 'device command' });
  const said = element('p', { role: 'status', class: 'note' });
  input.addEventListener('input', () => {
    const wanted = input.value.toLowerCase().split(/\s+/);
    const found = shown.filter(({ view: call, words }) => {
      call.hidden = !wanted.every((word) => words.includes(word));
      return !call.hidden;
    });
    for (const section of document.querySelectorAll('main > section[id^="group-"]')) {
      section.toggleAttribute('hidden', section.querySelector('.call:not([hidden])') === null);
    }
    said.textContent = input.value === '' ? '' : docsWords.found(found.length, shown.length);
  });
  return element('div', { class: 'search', role: 'search' }, [view, said]);
}

function problemsSection(problems: readonly ProblemKind[]): readonly HTMLElement[] {
  if (problems.length === 0) return [];
  const items = problems.map(({ type, code: name, status, title }) =>
    element('li', { id: problemAnchor(name), tabindex: '-1' }, [
      code(name),
      ` ${status}`,
      element('p', { lang: 'en' }, [inEnglish(title), '. ', element('a', { href: type }, [type])]),
    ]),
  );
  return [
    element('section', { id: 'failures', 'aria-label': docsWords.failures }, [
      element('h2', {}, [docsWords.failures]),
      element('p', {}, [docsWords.failuresText]),
      element('ul', { class: 'fields' }, items),
    ]),
  ];
}

/** Scrolls to the target again: the browser looked for it before it existed. */
function followHash(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target === null) return;
  if (target instanceof HTMLDetailsElement) {
    target.open = true;
    target.querySelector('summary')?.focus({ preventScroll: true });
  } else target.focus({ preventScroll: true });
  target.scrollIntoView();
}

startAppearance(window);
const main = document.querySelector('main');
if (main !== null) {
  window.addEventListener('hashchange', followHash);
  // A call that is opened can be linked to.
  main.addEventListener(
    'toggle',
    ({ target }) => {
      if (target instanceof HTMLDetailsElement && target.open && target.id !== '') {
        history.replaceState(null, '', `#${target.id}`);
      }
    },
    true,
  );
  show(main).catch((cause: unknown) => {
    main.replaceChildren(element('p', { role: 'alert' }, [docsWords.notShown(String(cause))]));
  });
}
