/** `null` for an empty field. What is no number goes to the hub as it is, whose refusal is shown at the field. */
export function numberFrom(text: string): number | string | null {
  const trimmed = text.trim().replace(',', '.');
  const number = Number(trimmed);
  return trimmed === '' ? null : Number.isFinite(number) ? number : trimmed;
}
