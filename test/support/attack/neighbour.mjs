// A client in a network namespace that tries passwords at a hub whose clock runs SPEED times as fast.
// `attack` tries wrong ones, each the moment that its wait ends, and prints the waits: first at EMAIL until that account
// is slow, then for ever at it and at made-up ones.
// `log-in` tries the right one, waits as the hub asks it to, and prints the answers as JSON by second of the hub's clock.
// Usage: neighbour.mjs attack|log-in BASE_URL SPEED EMAIL PASSWORD
const [role, base = '', speedText, email = '', password = ''] = process.argv.slice(2);
const speed = Number(speedText);
const startMs = performance.now();
const pass = (seconds) => new Promise((resolve) => setTimeout(resolve, (seconds * 1_000) / speed));

/** Seconds to wait; 0 where the hub checked the password. */
async function logIn(body) {
  const answer = await fetch(`${base}/api/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  await answer.text();
  return { status: answer.status, waitS: Number(answer.headers.get('retry-after') ?? 0) };
}

async function attack(nextEmail, failures) {
  for (let index = 0; index < failures;) {
    const { status, waitS } = await logIn({ email: nextEmail(index), password: 'not the right password' });
    process.stdout.write(`wait ${waitS}\n`);
    if (status === 401) index += 1;
    await pass(waitS);
  }
}

if (role === 'attack') {
  await attack(() => email, 10);
  process.stdout.write('slow\n');
  const madeUp = (index) => `made-up-${index}@example.org`;
  await Promise.all([attack(madeUp, Number.POSITIVE_INFINITY), attack(() => email, Number.POSITIVE_INFINITY)]);
} else {
  const answers = [];
  for (let isIn = false; !isIn && answers.length < 40;) {
    const { status, waitS } = await logIn({ email, password });
    answers.push([Math.round(((performance.now() - startMs) / 1_000) * speed), status, waitS]);
    isIn = status === 200;
    await pass(waitS);
  }
  process.stdout.write(JSON.stringify(answers));
}
