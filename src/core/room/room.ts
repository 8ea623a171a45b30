declare const roomId: unique symbol;
export type RoomId = string & { readonly [roomId]: never };

export type Room = {
  readonly id: RoomId;
  readonly selector: string;
  readonly name: string;
  /** Words of the page's own set of icons, so that any word is taken. */
  readonly icon?: string | null | undefined;
  readonly revision: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

declare module '#core/event/event.ts' {
  interface HomeEvents {
    'room.added': { readonly room: Room };
    'room.changed': { readonly room: Room };
    'room.removed': { readonly room: Room };
  }
}

/**
 * The words of rooms in the languages of the page, without accents. The first line that fits decides: a bath of
 * children is a bath.
 */
const WORDS_OF_ICONS = [
  ['bath', 'bath toilet shower wc bad badezimmer dusche bain bains douche bano aseo'],
  ['kitchen', 'kitchen kuche cuisine cocina'],
  ['garage', 'garage carport garaje cochera'],
  ['stairs', 'stairs staircase treppe treppenhaus escalier escalera escaleras'],
  ['garden', 'garden terrace balcony yard garten terrasse balkon jardin balcon terraza patio'],
  ['child', 'child children kid kids nursery baby kinder enfant enfants bebe nino ninos nina ninas infantil'],
  ['desk', 'office study buro arbeit bureau despacho oficina estudio'],
  ['bed', 'bed bedroom guest schlaf schlafzimmer gaste chambre dormitorio habitacion invitados'],
  ['door', 'hall hallway corridor entrance entry flur diele eingang couloir entree pasillo entrada recibidor'],
  ['sofa', 'living lounge wohn wohnzimmer stube salon sejour sala'],
].map(([icon = '', words = '']) => ({ icon, words: words.split(' ') }));

/** Guesses the icon of a new room from its name; `null` where no word fits. */
export function iconForRoom(name: string): string | null {
  const plain = name.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  const written = plain.split(/[^\p{L}]+/u);
  const fits = (word: string): boolean => written.some((one) => one === word || isPart(word, one));
  return WORDS_OF_ICONS.find(({ words }) => words.some(fits))?.icon ?? null;
}

/** German puts words together: `Gästebad`. Other short words are parts of too many that say something else. */
function isPart(word: string, of: string): boolean {
  return (word.length > 3 || word === 'bad') && (of.startsWith(word) || of.endsWith(word));
}
