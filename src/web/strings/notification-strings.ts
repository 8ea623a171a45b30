/** The words of notifications. They are apart from the others because the first page does not load them. */
export { notifications as n } from '#web/strings/en/notifications.ts';
