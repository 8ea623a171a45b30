/** The words of charts. They are apart from the others because the first page does not load them. */
export { history as h } from '#web/strings/en/history.ts';
