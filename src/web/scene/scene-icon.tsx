import { Icon } from '#web/parts/icon.tsx';

/** Drawn as those of `parts/icon.tsx`, which the first page loads; only scenes have these. */
const LINES: Readonly<Record<string, string>> = {
  film: 'M4 6.5A1.5 1.5 0 0 1 5.5 5h13A1.5 1.5 0 0 1 20 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5ZM10 9.2v5.6l4.8-2.8Z',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z',
  sun: 'M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM12 2.5v2m0 15v2M2.5 12h2m15 0h2M5.3 5.3l1.4 1.4m10.6 10.6 1.4 1.4m0-13.4-1.4 1.4M6.7 17.3l-1.4 1.4',
  meal: 'M7 3.5v6a2.5 2.5 0 0 0 2.5 2.5M12 3.5v6A2.5 2.5 0 0 1 9.500 12V20.500M9.500 3.500v5M17 20.500v-7h-2.500V9c0-3 1-5 2.500-5.500Z',
  book: 'M12 6.500C10 5 7.500 4.500 4 4.500v13.500c3.500 0 6 .5 8 2 2-1.500 4.500-2 8-2V4.500c-3.500 0-6 .5-8 2Zm0 0V20',
  party:
    'm4 20 4.500-11.500 7 7ZM13 8c0-2 1-3 2.500-3.500M16 11c2 0 3-.5 4.500-1.500M17.500 6.500h.1M11 4.500h.1M19.500 14.500h.1',
  bed: 'M3.500 19v-13M3.500 16h17M20.500 19v-5.500a3 3 0 0 0-3-3H10V16M6.700 12.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3Z',
  leave: 'M14 4.500H6A1.500 1.500 0 0 0 4.500 6v12A1.500 1.500 0 0 0 6 19.500h8M10.500 12H21m-3.500-4L21 12l-3.500 4',
  work: 'M4.500 5.500h15v10h-15ZM9 19.500h6M12 15.500v4',
  music:
    'M9 17.500V5.500l10-2v12M9 17.500a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0Zm10-2a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0Z',
};

export const SCENE_ICONS = Object.keys(LINES);

/** The icon of a scene. One that this page does not know is shown as the icon of all scenes. */
export function SceneIcon({ name, size = 20 }: { readonly name: string | null; readonly size?: number }) {
  return <Icon name="palette" size={size} line={LINES[name ?? '']} />;
}
