// A client of the hub in the LAN. It reads one call per line, and answers with a line: {"id", "result" | "error"}.
import { createInterface } from 'node:readline';

const heard = [];
const headersOf = (token) => ({
  ...(token && { Authorization: `Bearer ${token}` }),
  'Content-Type': 'application/json',
});
const calls = {
  ask: async ({ method, url, token, body }) => {
    const answer = await fetch(url, {
      method,
      headers: headersOf(token),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, json: text === '' ? null : JSON.parse(text) };
  },
  /** Keeps the data of all events that the stream sends from now on. */
  listen: async ({ url, token }) => {
    const { body, status } = await fetch(url, { headers: { ...headersOf(token), Accept: 'text/event-stream' } });
    if (status !== 200) throw new Error(`the stream answers ${status}`);
    void (async () => {
      let rest = '';
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line.startsWith('data:')) heard.push(JSON.parse(line.slice('data:'.length)));
      }
    })();
    return null;
  },
  heard: () => heard,
};
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
say({ ready: true });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, call, ...args } = JSON.parse(line);
  Promise.resolve(args)
    .then(calls[call])
    .then(
      (result) => say({ id, result: result ?? null }),
      (cause) => say({ id, error: String(cause) }),
    );
}
process.exit();
