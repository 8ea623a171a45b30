import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** What a program loads, module by module. */
export type LoadRecord = {
  /** For the environment of the program, as NODE_OPTIONS. */
  readonly nodeOptions: string;
  /** The names of the files that it has loaded so far. */
  readonly files: () => ReadonlySet<string>;
};

export function recordLoads(folder: string): LoadRecord {
  const [record, hooks, list] = ['record.mjs', 'hooks.mjs', 'loaded.txt'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(
    hooks,
    `import { appendFileSync } from 'node:fs';
    export async function load(url, context, next) {
      if (url.startsWith('file:')) appendFileSync(${JSON.stringify(list)}, url + '\\n');
      return next(url, context);
    }`,
  );
  const url = pathToFileURL(hooks).href;
  writeFileSync(record, `import { register } from 'node:module'; register(${JSON.stringify(url)});`);
  return {
    nodeOptions: `--import=${pathToFileURL(record).href}`,
    files: () => {
      const urls = existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n') : [];
      return new Set(urls.map((one) => basename(fileURLToPath(one))));
    },
  };
}
