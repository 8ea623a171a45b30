import { isUuid } from '#base/uuid.ts';

const MAX_LENGTH = 60;

/** Text as people type it: without case and accents, `ß` as `ss`. */
export function folded(text: string): string {
  // Most names need no tables of Unicode, which cost ten times as much.
  if (/^[ -~]*$/.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').toLowerCase().replaceAll('ß', 'ss').replaceAll(/\p{M}/gu, '');
}

/** Turns text into a slug: `Küche / Decke` → `kuche-decke`. Empty if the text has no Latin letters or digits. */
export function slugFromName(name: string): string {
  return folded(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-|-$/g, '');
}

/** Hands out slugs that are unique among things of one kind. A thing that may return keeps its slug for ever. */
export type SelectorSource = ReturnType<typeof createSelectorSource>;

export function createSelectorSource(fallback: string) {
  const used = new Set<string>();
  // The last number of each slug, so that ten thousand equal names do not try ten thousand numbers each.
  const lastNumber = new Map<string, number>();
  return {
    /** Marks a selector from an earlier run as used. */
    reserve: (selector: string): void => void used.add(selector),
    /** A new selector from the first of these texts that has a slug. */
    take: (texts: readonly string[]): string => {
      const slug = texts.map(slugFromName).find((candidate) => candidate !== '') ?? fallback;
      // Clients may write a selector in place of an id, so it must not look like one.
      const base = isUuid(slug) ? `${fallback}-${slug}` : slug;
      let selector = base;
      let number = lastNumber.get(base) ?? 1;
      while (used.has(selector)) {
        number += 1;
        selector = `${base}-${number}`;
      }
      lastNumber.set(base, number);
      used.add(selector);
      return selector;
    },
    /** Frees the selectors of things that could not be created or are gone for ever. */
    giveBack: (selectors: readonly string[]): void => {
      for (const selector of selectors) used.delete(selector);
      lastNumber.clear();
    },
  };
}
