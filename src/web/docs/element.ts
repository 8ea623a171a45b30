export type Child = Node | string | null;

/** Text stays text: nothing is ever parsed as HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>>,
  children: readonly Child[] = [],
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** Renders its content when it is first opened: the whole document at once takes long to render and to read out. */
export function disclosure(
  attributes: Readonly<Record<string, string>>,
  summary: readonly Child[],
  render: () => readonly Child[],
): HTMLDetailsElement {
  const details = element('details', attributes, [element('summary', {}, summary)]);
  const fill = (): void => {
    details.removeEventListener('toggle', fill);
    details.append(...render().filter((child) => child !== null));
  };
  details.addEventListener('toggle', fill);
  return details;
}

/** Marks the text of the document of the API, which speaks English to everybody. */
export function english(children: readonly Child[]): HTMLElement {
  return element('div', { lang: 'en' }, children);
}

export function code(text: string): HTMLElement {
  return element('code', {}, [text]);
}

/** Scrolls with the keyboard if it is wider than the screen. */
export function block(text: string, label: string): HTMLElement {
  return element('pre', { tabindex: '0', role: 'region', 'aria-label': label }, [code(text)]);
}

/** Paragraphs, lists and `code` from the little Markdown that the document uses. */
export function prose(text: string): readonly HTMLElement[] {
  return text.split(/\n{2,}/).map((part) => {
    const lines = part.split('\n');
    if (!lines.every((line) => line.startsWith('- '))) return element('p', {}, inline(part));
    return element(
      'ul',
      {},
      lines.map((line) => element('li', {}, inline(line.slice(2)))),
    );
  });
}

export function inline(text: string): readonly Child[] {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? code(part) : part));
}
