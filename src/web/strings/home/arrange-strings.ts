/** The words of the pages on which a person arranges the home. */
export { arrange as a } from '#web/strings/en/home/arrange.ts';
