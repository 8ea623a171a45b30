import { block, code, disclosure, element } from './element.ts';

/**
 * Shows the chapters of the README of the API for people who write programs. They are English, as the document of the API
 * is, and are fetched when somebody wants to read them.
 */
export async function showGuide(place: HTMLElement): Promise<void> {
  const answer = await fetch('/docs/guide.md');
  if (!answer.ok) throw new Error(`the hub answered ${answer.status}`);
  const [head = '', ...chapters] = (await answer.text()).split(/^### /m);
  place.replaceChildren(
    ...blocksOf(head.replace(/^## .*\n/, ''), 'sh'),
    ...chapters.map((chapter) => {
      const [title = ''] = chapter.split('\n', 1);
      return disclosure({ class: 'nested' }, [title], () => blocksOf(chapter.slice(title.length), title));
    }),
  );
}

/** Code, lists, tables and paragraphs: as much Markdown as the README uses. Every second part is code, for fences come in pairs. */
function blocksOf(text: string, title: string): readonly HTMLElement[] {
  return text.split(/^```/m).flatMap((part, at) => {
    if (at % 2 === 0) return textOf(part);
    const end = part.indexOf('\n');
    return [block(part.slice(end + 1).trimEnd(), `${title} (${part.slice(0, end)})`)];
  });
}

function textOf(text: string): readonly HTMLElement[] {
  const parts = text.split(/\n{2,}/).map((part) => part.trim());
  return parts.filter((part) => part !== '').map(partOf);
}

function partOf(part: string): HTMLElement {
  if (part.startsWith('- ')) return listOf(part);
  return part.startsWith('| ') ? tableOf(part) : paragraph(part);
}

/** A row is a line with its cells between bars; the second line only rules the head off. */
function tableOf(part: string): HTMLElement {
  const rows = part.split('\n').map((line) => line.slice(2, -2).split(' | '));
  const shown = rows.filter((_, at) => at !== 1).map((cells, at) => rowOf(cells, at === 0 ? 'th' : 'td'));
  return element('table', {}, shown);
}

function rowOf(cells: readonly string[], kind: 'th' | 'td'): HTMLElement {
  const shown = cells.map((cell) => element(kind, {}, inlineOf(cell)));
  return element('tr', {}, shown);
}

function listOf(part: string): HTMLElement {
  const items = part.slice(2).split(/\n- /);
  return element(
    'ul',
    {},
    items.map((item) => element('li', {}, inlineOf(item))),
  );
}

function paragraph(part: string): HTMLElement {
  return element('p', {}, inlineOf(part));
}

const CODE_OR_LINK = /`([^`]+)`|\[([^[\]]+)\]\(([^()\s]+)\)/g;

/** Code and links. A link into the sources leads nowhere from here, so only its words are shown. */
function inlineOf(text: string): readonly (Node | string)[] {
  const shown: (Node | string)[] = [];
  let done = 0;
  for (const found of text.matchAll(CODE_OR_LINK)) {
    const [all, quoted, words = '', target = ''] = found;
    shown.push(text.slice(done, found.index));
    done = found.index + all.length;
    if (quoted !== undefined) shown.push(code(quoted));
    else shown.push(target.startsWith('/') ? element('a', { href: target }, [words]) : words);
  }
  return [...shown, text.slice(done)];
}
