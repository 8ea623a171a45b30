import type { HubProcess } from '#test/support/daemon/hub-process.ts';

const HOUR_MS = 3_600_000;
const EVERY_MS = HOUR_MS / 2;

type Value = (atMs: number) => number | boolean | string;

/** Gives the simulated home a past: each of these series has a value every half an hour, but none in the gap. */
export async function importPast(
  hub: HubProcess,
  token: string,
  { days, series }: { readonly days: number; readonly series: Readonly<Record<string, Value>> },
): Promise<void> {
  const toMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const lines = ['series,at,value,gap'];
  for (const [name, valueAt] of Object.entries(series)) {
    for (let atMs = toMs - days * 24 * HOUR_MS; atMs < toMs; atMs += EVERY_MS) {
      const hours = (toMs - atMs) / HOUR_MS;
      const at = new Date(atMs).toISOString();
      if (hours === 8) lines.push(`${name},${at},,offline`);
      if (hours > 8 || hours <= 6) lines.push(`${name},${at},${valueAt(atMs)},`);
    }
  }
  const { status, json } = await hub.ask('POST', '/api/v1/history/import', {
    token,
    raw: `${lines.join('\r\n')}\r\n`,
    headers: { 'Content-Type': 'text/csv' },
  });
  if (status !== 200) throw new Error(`the hub took no past: ${JSON.stringify(json)}`);
}
