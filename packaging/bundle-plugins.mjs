// Plugins of esbuild that shorten the start of the program. An upgrade of a package may rename what they look for; so
// each of them fails the build when something that it is there for was not in it.
import { posix } from 'node:path';

// Code that never runs here costs each start the time to read it: the ways of the MQTT client to a broker (WebSocket,
// SOCKS, Alibaba), which the hub opens itself, and its timers for browsers.
const NEVER_RUN = ['mqtt/build/lib/connect/index.js', 'worker-timers/build/es5/bundle.js'];

/** Empties the modules whose path ends in one of these. */
export function neverRun(paths = NEVER_RUN) {
  return {
    name: 'never-run',
    setup(plugins) {
      const found = new Set();
      plugins.onLoad({ filter: /\/node_modules\// }, (module) => {
        const path = paths.find((end) => module.path.endsWith(posix.join('/node_modules', end)));
        if (path === undefined) return undefined;
        found.add(path);
        return { contents: '' };
      });
      failWhereMissing(plugins, () => paths.filter((path) => !found.has(path)));
    },
  };
}

/**
 * A module imports what it needs of Node before its first statement, and the bundle of the storage's thread is one.
 * Required instead, each of Node's modules comes with the first module that uses it.
 */
export function nodeWhenUsed() {
  return {
    name: 'node-when-used',
    setup(plugins) {
      let isFound = false;
      plugins.onResolve({ filter: /^node:/ }, ({ path, kind, namespace }) => {
        if (kind !== 'import-statement') return { path, external: true };
        return { path, namespace: namespace === 'node' ? 'node-required' : 'node' };
      });
      // One for all that import it: each importer of a CommonJS module would have a copy of its own of all names.
      plugins.onLoad({ filter: /.*/, namespace: 'node' }, ({ path }) => ({
        contents: `export * from '${path}'; export { default } from '${path}';`,
      }));
      plugins.onLoad({ filter: /.*/, namespace: 'node-required' }, ({ path }) => {
        isFound = true;
        return { contents: `module.exports = require('${path}');` };
      });
      failWhereMissing(plugins, () => (isFound ? [] : ['an import of node:']));
    },
  };
}

/**
 * Rebuilds of a watched build may take modules from a cache: what was found once counts for good.
 * @param {import('esbuild').PluginBuild} plugins
 * @param {() => readonly string[]} missing
 */
function failWhereMissing(plugins, missing) {
  plugins.onEnd(() => ({
    errors: missing().map((what) => ({ text: `${what} is not in the build: correct the plugin` })),
  }));
}
