/** English has the order of Unicode's root collation, which has no tag of its own: `und` is that of the machine's language. */
const ORDER = new Intl.Collator('en', { numeric: true });

/** As people look for names: "Room 2" before "Room 10", "Äpfel" near "Apfel", large letters near small ones; equal ones by id. */
export function compareNamed(
  left: { readonly name: string; readonly id: string },
  right: { readonly name: string; readonly id: string },
): number {
  return ORDER.compare(left.name, right.name) || (left.id < right.id ? -1 : 1);
}
