import { expect, test } from 'vitest';
import { iconForRoom } from '#core/room/room.ts';
import { ROOM_ICONS } from '#web/icon-lines.ts';

test.each([
  ['bath', 'Bathroom', 'Gästebad', 'Bad', 'WC', 'Kinderbad', 'Salle de bains', 'Baño'],
  ['kitchen', 'Kitchen', 'Küche', 'Wohnküche', 'Cuisine', 'Cocina'],
  ['garage', 'Garage', 'Garaje'],
  ['stairs', 'Stairs', 'Treppenhaus', 'Escalier', 'Escalera'],
  ['garden', 'Back yard', 'Vorgarten', 'Jardin', 'Terraza'],
  ['child', 'Kids bedroom', 'Kinderzimmer', 'Chambre d’enfant', 'Cuarto de los niños'],
  ['desk', 'Home office', 'Büro', 'Bureau', 'Despacho'],
  ['bed', 'Bedroom 2', 'Elternschlafzimmer', 'Chambre', 'Dormitorio'],
  ['door', 'Hallway', 'Flur OG', 'Entrée', 'Pasillo'],
  ['sofa', 'LIVING ROOM', 'Wohnzimmer', 'Séjour', 'Sala de estar'],
  [null, '', 'Abroad', 'Attic', 'Keller', '☃', 'Kidney', 'x'.repeat(10_000)],
] as [string | null, ...string[]][])('a room has the icon %s by its name in four languages', (icon, ...names) => {
  expect(names.map((name) => [name, iconForRoom(name)])).toEqual(names.map((name) => [name, icon]));
  expect(icon === null || ROOM_ICONS.some((one) => one === icon)).toBe(true);
});
