import { type ReadonlySignal, signal } from '@preact/signals';

export const THEMES = ['system', 'light', 'dark'] as const;
/** Percent of what the browser would show. */
export const TEXT_SIZES = [100, 125, 150, 200] as const;
type Look = {
  readonly theme: (typeof THEMES)[number];
  readonly textSize: (typeof TEXT_SIZES)[number];
  /** Beyond what the system asks for. */
  readonly hasMoreContrast: boolean;
};

/** How the page looks in this browser, for all accounts: a tablet on the wall needs another look than a phone. */
export type Appearance = {
  readonly look: ReadonlySignal<Look>;
  readonly choose: (change: Partial<Look>) => void;
  /** Shows another theme than the chosen one, and keeps nothing; `null` shows the chosen one. */
  readonly lend: (theme: Look['theme'] | null) => void;
};

const KEY = 'hearthd.look';
const AS_IT_COMES: Look = { theme: 'system', textSize: 100, hasMoreContrast: false };
const DARK = '(prefers-color-scheme: dark)';
const CONTRAST = '(prefers-contrast: more)';

export function startAppearance(page: Window): Appearance {
  const { document } = page;
  const look = signal(read(page));
  const rules = { dark: rulesFor(document, DARK), contrast: rulesFor(document, CONTRAST) };
  const bars = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')];
  const colors = bars.map(({ content, media }) => ({ content, isDark: media.includes('dark') }));
  const show = ({ theme, textSize, hasMoreContrast }: Look): void => {
    const root = document.documentElement;
    const isSystem = theme === 'system';
    root.style.fontSize = textSize === 100 ? '' : `${textSize}%`;
    root.style.colorScheme = isSystem ? '' : theme;
    for (const rule of rules.dark) rule.media.mediaText = isSystem ? DARK : theme === 'dark' ? 'all' : 'not all';
    for (const rule of rules.contrast) rule.media.mediaText = hasMoreContrast ? 'all' : CONTRAST;
    for (const [index, bar] of bars.entries()) {
      const own = isSystem ? colors[index] : colors.find(({ isDark }) => isDark === (theme === 'dark'));
      if (own !== undefined) bar.content = own.content;
    }
  };
  show(look.peek());
  page.addEventListener('storage', ({ key }) => {
    if (key !== KEY && key !== null) return;
    look.value = read(page);
    show(look.peek());
  });
  return {
    look,
    choose: (change) => {
      look.value = { ...look.peek(), ...change };
      show(look.peek());
      keep(page, look.peek());
    },
    lend: (theme) => show({ ...look.peek(), ...(theme === null ? {} : { theme }) }),
  };
}

/** The style sheet has its dark values once, in a media rule. A choice replaces the condition of that rule. */
function rulesFor(document: Document, media: string): readonly CSSMediaRule[] {
  return [...document.styleSheets].flatMap((sheet) =>
    [...sheet.cssRules].filter(
      (rule): rule is CSSMediaRule => rule instanceof CSSMediaRule && rule.media.mediaText === media,
    ),
  );
}

function read(page: Window): Look {
  try {
    const kept = JSON.parse(page.localStorage.getItem(KEY) ?? '{}') as Partial<Look>;
    return {
      theme: THEMES.find((one) => one === kept.theme) ?? AS_IT_COMES.theme,
      textSize: TEXT_SIZES.find((one) => one === kept.textSize) ?? AS_IT_COMES.textSize,
      hasMoreContrast: kept.hasMoreContrast === true,
    };
  } catch (cause) {
    // The storage is closed to this page, or another one wrote this.
    if (cause instanceof DOMException || cause instanceof SyntaxError) return AS_IT_COMES;
    throw cause;
  }
}

function keep(page: Window, look: Look): void {
  try {
    page.localStorage.setItem(KEY, JSON.stringify(look));
  } catch (cause) {
    // A browser that keeps nothing has this look until the page is left.
    if (!(cause instanceof DOMException)) throw cause;
  }
}
