import { dirname, join } from 'node:path';
import type { Import } from './sources.ts';

/** An import from one room to another: `core/room → core/event`. */
export type Edge = readonly [from: string, to: string];

/** The room of a file below a folder of src: the folder in it that has the file, or the file itself where it stands beside those. */
function roomOf(file: string, folder: string): string {
  const [room = ''] = file.slice(folder.length + 1).split('/');
  return `${folder}/${room}`;
}

/** The path below src that an import of a source leads to, or `undefined` for a package. */
export function targetOf({ file, specifier }: Pick<Import, 'file' | 'specifier'>): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? join(dirname(file), specifier) : undefined;
}

/** All imports between the rooms of a folder of src, types included, each once. */
export function edgesOf(folder: string, imports: readonly Import[]): readonly Edge[] {
  const edges = new Map<string, Edge>();
  for (const entry of imports) {
    const target = targetOf(entry);
    if (target === undefined || !entry.file.startsWith(`${folder}/`) || !target.startsWith(`${folder}/`)) continue;
    const edge: Edge = [roomOf(entry.file, folder), roomOf(target, folder)];
    if (edge[0] !== edge[1]) edges.set(edge.join(' → '), edge);
  }
  return [...edges.values()];
}

/** The edges that lie in a circle: from their end one gets back to their beginning. */
export function circlesOf(edges: readonly Edge[]): readonly string[] {
  const next = new Map<string, string[]>();
  for (const [from, to] of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const reachable = (start: string): ReadonlySet<string> => {
    const reached = new Set<string>();
    const open = [start];
    for (let room = open.pop(); room !== undefined; room = open.pop()) {
      if (reached.has(room)) continue;
      reached.add(room);
      open.push(...(next.get(room) ?? []));
    }
    return reached;
  };
  return edges.filter(([from, to]) => reachable(to).has(from)).map((edge) => edge.join(' → '));
}

/** Comments, texts and regular expressions, which may hold any bracket; a template counts whole. */
const NO_CODE =
  /\/\*[^]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[^])*`|(?<=[(,=:!&|?]\s*)\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;

/** The texts in a source, templates included, without its comments. */
export function textsOf(text: string): readonly string[] {
  return [...text.matchAll(NO_CODE)].flatMap(([token]) => (/^['"`]/.test(token) ? [token] : []));
}

/** The object literals with more than one spread, each as its spreads: `...a, ...b`. */
export function doubleSpreads(text: string): readonly string[] {
  const code = text.replaceAll(NO_CODE, '""');
  const found: string[] = [];
  const open: { readonly bracket: string; readonly spreads: string[] }[] = [];
  for (const { 0: token, index } of code.matchAll(/[{}()[\]]|\.{3}/g)) {
    if (token === '...') {
      const [spread = ''] = /^\.{3}[\w.]*/.exec(code.slice(index)) ?? [];
      open.at(-1)?.spreads.push(spread);
    } else if ('{(['.includes(token)) open.push({ bracket: token, spreads: [] });
    else {
      const closed = open.pop();
      if (closed?.bracket === '{' && closed.spreads.length > 1) found.push(closed.spreads.join(', '));
    }
  }
  return found;
}

/** The exported names of a file, values and types. */
export function exportsOf(text: string): readonly string[] {
  const pattern =
    /^export (?:declare )?(?:async )?(?:const|let|function\*?|class|type|interface|enum) (\w+|\[[^\]]*\])/gm;
  return [...text.matchAll(pattern)].flatMap(([, name = '']) => name.match(/\w+/g) ?? []);
}

/** The names that a file takes from each of its imports, by specifier; `*` where it takes or may take all. */
export function takenNames(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const taken = new Map<string, Set<string>>();
  const add = (specifier: string, names: readonly string[]): void => {
    taken.set(specifier, new Set([...(taken.get(specifier) ?? []), ...names]));
  };
  for (const [, names = '', specifier = ''] of text.matchAll(/^(?:import|export)\s([^'";]*?)\sfrom '([^']+)'/gm)) {
    const [, list] = /\{([^}]*)\}/.exec(names) ?? [];
    if (names.includes('*')) add(specifier, ['*']);
    add(
      specifier,
      (list ?? '').split(',').map((name) => /(?:type )?(\w+)/.exec(name.replace(/^\s*type\s+/, ''))?.[1] ?? ''),
    );
  }
  for (const [, specifier = ''] of text.matchAll(/(?:import\(|declare module )'([^']+)'/g)) add(specifier, ['*']);
  return taken;
}
