// What a page needs before it runs, as one file. esbuild parts the code by which pages and lazy parts use it: thirty files
// for the first load, while a browser has six connections to a hub.
import { basename } from 'node:path';
import { build } from 'esbuild';

const IMPORT = /\bimport\s*(?:\{([^}]*)\}\s*from\s*)?"\.\/([^"]+\.js)"/g;

/**
 * Joins an entry and all that it imports. Returns the files by name, with the name of the joined one and of what it still
 * imports: the words.
 */
export async function joinFirst({ outputFiles, metafile }, { script: entry }, options) {
  const nameOf = Object.keys(metafile.outputs).find((name) => metafile.outputs[name].entryPoint === entry);
  const scripts = new Map(outputFiles.filter(isScript).map(({ path, text }) => [basename(path), text]));
  const parts = [basename(nameOf), ...[...importsOf(metafile, nameOf)].map((path) => basename(path))];
  const first = new Map(parts.filter((name) => scripts.has(name)).map((name, index) => [name, index]));
  const exportsOf = new Map(
    Object.entries(metafile.outputs).map(([name, output]) => [basename(name), output.exports ?? []]),
  );
  const again = [...first].map(([name, index]) => {
    const names = (exportsOf.get(name) ?? []).map((one) => `${one} as ${aliasOf(index, one)}`);
    return `import "./${name}";\nexport { ${names.join(', ')} } from "./${name}";\n`;
  });
  const { outputFiles: joined, metafile: of } = await build({
    ...options,
    entryPoints: undefined,
    stdin: { contents: again.join(''), resolveDir: options.outdir },
    splitting: false,
    plugins: [partsFrom(scripts, first)],
  });
  const [{ contents }] = joined;
  const script = `${basename(entry).replace(/\.tsx?$/, '')}.js`;
  const files = new Map([[script, contents]]);
  for (const [name, text] of scripts)
    if (!first.has(name)) files.set(name, Buffer.from(repointed(text, { first, script, file: name })));
  const [output] = Object.values(of.outputs);
  const still = output.imports.filter(({ kind }) => kind === 'import-statement');
  const imports = [...new Set(still.map(({ path }) => basename(path)))];
  return { script, imports, files };
}

function isScript({ path }) {
  return path.endsWith('.js');
}

/** Names are short, and each file has an `a` of its own. */
function aliasOf(index, name) {
  return `_${index}_${name}`;
}

function importsOf({ outputs }, name, found = new Set()) {
  for (const { path, kind } of outputs[name]?.imports ?? []) {
    if (kind !== 'import-statement' || found.has(path)) continue;
    found.add(path);
    importsOf({ outputs }, path, found);
  }
  return found;
}

/** The parts are files that were never written. What is loaded later stays apart. */
function partsFrom(scripts, first) {
  return {
    name: 'parts',
    setup: (plugins) => {
      plugins.onResolve({ filter: /^\.\// }, ({ path, kind }) => {
        const name = basename(path);
        if (!first.has(name)) return { path, external: true };
        if (kind === 'dynamic-import') throw new Error(`${name} is loaded later and is part of the first load`);
        return { path: name, namespace: 'parts' };
      });
      plugins.onLoad({ filter: /.*/, namespace: 'parts' }, ({ path }) => ({
        contents: scripts.get(path),
        loader: 'js',
      }));
    },
  };
}

/** Lets a file that is loaded later import from the joined one. */
function repointed(text, { first, script, file }) {
  const changed = text.replaceAll(IMPORT, (whole, names, from) => {
    const index = first.get(from);
    if (index === undefined) return whole;
    if (names === undefined) return `import "./${script}"`;
    const own = names.split(',').map((one) => {
      const [name, as = name] = one.trim().split(/\s+as\s+/);
      return `${aliasOf(index, name)} as ${as}`;
    });
    return `import{${own.join(',')}}from"./${script}"`;
  });
  for (const name of first.keys()) {
    if (changed.includes(`./${name}`))
      throw new Error(`${file} asks for ${name} in a way that the build does not know`);
  }
  return changed;
}
