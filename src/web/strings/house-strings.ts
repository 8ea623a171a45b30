/** The words of scenes, modes and people at home. They are apart from the others because the first page does not load them. */
export { house as w } from '#web/strings/en/house.ts';
