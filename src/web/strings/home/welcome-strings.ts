/** The words of the first steps after the hub has its owner. */
export { welcome as w } from '#web/strings/en/home/welcome.ts';
