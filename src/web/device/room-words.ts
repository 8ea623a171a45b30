/** A device's name inside its room, without the room's: in the bedroom, "Bedroom ceiling lamp" is the "Ceiling lamp". */
export function nameInRoom(name: string, room: string | undefined): string {
  if (room === undefined || !name.toLocaleLowerCase().startsWith(room.toLocaleLowerCase())) return name;
  const rest = name.slice(room.length);
  const own = rest.replace(/^[\s:,–-]+/, '');
  // "Bedrooms" is not in the bedroom, and a name that is the room's stays.
  if (own === '' || own === rest) return name;
  return own.charAt(0).toLocaleUpperCase() + own.slice(1);
}
