import { escapeControls } from '#base/log.ts';

/** What doctor found about one thing. */
export type Finding = {
  readonly level: 'ok' | 'warn' | 'fail';
  /** What was looked at, in a word or two. */
  readonly subject: string;
  readonly text: string;
  /** What to do about it, where there is something to do. */
  readonly advice?: string;
  /** Further lines for who wants to know. */
  readonly details?: readonly string[];
};

export function describeFinding({ level, subject, text, advice, details = [] }: Finding): string[] {
  const lines = [`${level.padEnd(4)}  ${subject}: ${text}`];
  if (advice !== undefined) lines.push(`      → ${advice}`);
  lines.push(...details.map((detail) => `      ${detail}`));
  return lines.map(escapeControls);
}
