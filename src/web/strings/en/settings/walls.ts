/** The words about tablets on the wall, on the telephone of the person who lets them show the home. */
export const walls = {
  title: 'Wall tablets',
  menuText: 'Screens that show the home to everyone',
  add: 'Add a wall tablet',
  digits: 'The six digits on the tablet',
  digitsHint: (address: string) =>
    `Open ${address} on the tablet. It shows six digits, and a QR code for the camera of your phone.`,
  notDigits: 'Enter the six digits that the tablet shows.',
  next: 'Next',
  question: (name: string, address: string, digits: string) =>
    `“${name}” at ${address} wants to show your home. Allow it only if the tablet in front of you shows ${digits}.`,
  may: 'Everyone at this tablet may',
  control: 'Control',
  controlNote: 'Lights, heating, blinds and scenes',
  see: 'See only',
  doors: (names: readonly string[]) => `Also ${names.join(', ')}`,
  doorsNote: 'Anyone at the tablet can open them, and any that you add later',
  allRooms: 'In all rooms',
  someRooms: (count: number) => (count === 1 ? 'In one room' : `In ${count} rooms`),
  allow: 'Allow',
  allowing: 'Allowing…',
  allowed: (name: string) => `${name} shows your home within a few seconds.`,
  refuse: 'This is not my tablet',
  refused: 'The tablet has been refused.',
  gone: 'No tablet shows these digits now. A tablet gets new ones every five minutes.',
};
