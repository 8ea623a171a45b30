// Preloaded into the hub: faults that what a device sends, or an automation does, sets off. One takes all memory there is,
// one never ends.
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  const parse = JSON.parse;
  JSON.parse = (text, ...rest) => {
    if (typeof text === 'string' && /"(friendly_name|poison)":"(Poison|memory)"/.test(text)) {
      for (const held = []; ;) held.push(Array.from({ length: 10_000 }, (_, index) => ({ index })));
    }
    if (typeof text === 'string' && text.includes('"poison":"hang"')) hang();
    return parse(text, ...rest);
  };
  const round = Math.round;
  // The milliseconds of a delay.
  Math.round = (number) => (number === 666_000 ? hang() : round(number));
}

function hang() {
  process.stderr.write('it hangs\n');
  for (;;);
}
