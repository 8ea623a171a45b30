import * as fc from 'fast-check';
import type { Finding } from '#test/fuzz/http/campaign.ts';
import { judgeRaw, rawBytes, sendBytes } from './raw-bytes.ts';

const LANES = 8;

/** Sends so many broken requests byte for byte, each over a connection of its own. */
export async function runRawCampaign(
  address: string,
  { requests, seed }: { readonly requests: number; readonly seed: number },
): Promise<{ readonly sent: number; readonly seed: number; readonly findings: readonly Finding[] }> {
  const port = Number(new URL(address).port);
  let sent = 0;
  const runLane = async (lane: number): Promise<readonly Finding[]> => {
    let smallest: Finding | undefined;
    const property = fc.asyncProperty(rawBytes, async (bytes) => {
      const answers = await sendBytes(port, `127.0.0.${120 + lane}`, bytes);
      sent += 1;
      const problems = judgeRaw(answers);
      if (problems.length === 0) return true;
      const curl = `base64 -d <<< ${bytes.toString('base64')} | nc 127.0.0.1 ${port}`;
      smallest = { curl, problems, answer: answers.text.slice(0, 500) };
      return false;
    });
    const { failed, errorInstance } = await fc.check(property, {
      numRuns: Math.ceil(requests / LANES),
      seed: seed + lane,
    });
    if (failed && smallest === undefined) throw new Error('a request could not be made', { cause: errorInstance });
    return smallest === undefined ? [] : [smallest];
  };
  const findings = (await Promise.all(Array.from({ length: LANES }, (_, lane) => runLane(lane)))).flat();
  return { sent, seed, findings };
}
