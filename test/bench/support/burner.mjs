// Keeps a core busy until it is ended: a load that shares nothing with the hub but the processor.
const SLICE_MS = 50;
process.on('message', () => process.send(true));
function burn() {
  const endMs = performance.now() + SLICE_MS;
  while (performance.now() < endMs);
  setImmediate(burn);
}
burn();
