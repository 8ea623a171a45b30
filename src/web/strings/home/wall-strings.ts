/** The words of a screen on the wall. */
export { wall as w } from '#web/strings/en/home/wall.ts';
