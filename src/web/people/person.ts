export type Person = { readonly id: string; readonly email: string; readonly name: string; readonly role: string };

/** The hub keeps at least one, or nobody could manage it. */
export function isLastOwner(person: Person, people: readonly Person[]): boolean {
  return person.role === 'owner' && people.every(({ id, role }) => id === person.id || role !== 'owner');
}
