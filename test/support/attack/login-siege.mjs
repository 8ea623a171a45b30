// Sends 200 wrong passwords a second for EMAIL to ADDRESS from thirty loopback addresses, for SECONDS. Without EMAIL it
// sends as many malformed requests. It is a process of its own, so that its work does not slow the test.
// Prints one line of JSON and ends.
import { Agent, request } from 'node:http';

const [address, seconds, email] = [process.argv[2], Number(process.argv[3]), process.argv[4]];
const ADDRESSES = 30;
const TRIES_PER_S = 200;
const agents = Array.from({ length: ADDRESSES }, (_, index) => ({
  agent: new Agent({ keepAlive: true, maxSockets: 4 }),
  localAddress: `127.0.8.${index + 1}`,
}));
/** @type {Record<string, number>} */
const answers = {};
let sent = 0;
let open = 0;
const startMs = performance.now();

function tryOnce() {
  const { agent, localAddress } = agents[sent % ADDRESSES];
  const body = JSON.stringify({ email, password: `wrong guess number ${sent}` });
  sent += 1;
  open += 1;
  const done = (/** @type {string} */ status) => {
    answers[status] = (answers[status] ?? 0) + 1;
    open -= 1;
  };
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  const send = () => {
    const asked = request(`${address}/api/v1/login`, { method: 'POST', agent, localAddress, headers }, (answer) => {
      answer.resume().once('end', () => done(String(answer.statusCode)));
    });
    asked.once('error', (error) => {
      const code = 'code' in error ? String(error.code) : 'error';
      // The request crossed the end of an idle connection: every client sends it again (RFC 9112 section 9.3.1).
      if (asked.reusedSocket && code === 'ECONNRESET') send();
      else done(code);
    });
    asked.end(body);
  };
  send();
}

const ticks = setInterval(() => {
  const passedS = (performance.now() - startMs) / 1_000;
  const due = Math.floor(Math.min(passedS, seconds) * TRIES_PER_S) - sent;
  // Tries that this process missed while it had no core are caught up on bit by bit.
  for (let count = 0; count < Math.min(due, 4); count += 1) tryOnce();
  if (passedS < seconds || (open > 0 && passedS < seconds + 10)) return;
  clearInterval(ticks);
  process.stdout.write(`${JSON.stringify({ sent, answers })}\n`);
  for (const { agent } of agents) agent.destroy();
}, 5);
