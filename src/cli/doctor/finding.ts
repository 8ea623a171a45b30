import { escapeControls } from '#base/log.ts';

/** The result of one check. */
export type Finding = {
  readonly level: 'ok' | 'warn' | 'fail';
  /** What was checked, in a word or two. */
  readonly subject: string;
  readonly text: string;
  /** What to do about it, if anything. */
  readonly advice?: string;
  /** Further lines with details. */
  readonly details?: readonly string[];
};

export function describeFinding({ level, subject, text, advice, details = [] }: Finding): string[] {
  const lines = [`${level.padEnd(4)}  ${subject}: ${text}`];
  if (advice !== undefined) lines.push(`      → ${advice}`);
  lines.push(...details.map((detail) => `      ${detail}`));
  return lines.map(escapeControls);
}
