import { counted } from './grammar.ts';

/** The words of the search over everything. */
export const find = {
  label: 'Search your home and its settings',
  hint: 'Type part of a name, or what you want to change.',
  devices: 'Devices',
  count: (count: number) => (count === 0 ? 'Nothing found' : counted(count, 'result', 'results')),
  pages: 'Pages and settings',
  more: (count: number) => `${counted(count, 'more result', 'more results')}. One more word finds them.`,
};
