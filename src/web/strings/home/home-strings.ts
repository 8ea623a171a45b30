/** The words of the first page. */
export { home as h } from '#web/strings/en/home/home.ts';
