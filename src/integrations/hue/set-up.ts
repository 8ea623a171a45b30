import type { FieldError } from '#base/hub-error.ts';
import { originFrom } from '#base/network/host-port.ts';
import { waitMs } from '#base/time/timer.ts';
import type { Discovery } from '#core/integration/instance.ts';
import type { SetupAnswer, SetupSteps } from '#core/integration/setup-step.ts';
import type { SetupResult } from '#integrations/kind.ts';
import { wrongHost } from '#integrations/peer/ask-for-host.ts';
import type { SetupPorts } from '#integrations/ports.ts';
import { bridgeFaultFrom, readPublicConfig } from '#integrations/hue/clip/bridge.ts';
import { readNewKey } from '#integrations/hue/clip/clip-message.ts';
import { words } from '#integrations/hue/words/en.ts';
import { choice, failure, fault, said } from '#integrations/words/kind-words.ts';
import { HUE_SETTINGS, type HueSettings } from './hue-settings.ts';

type Bridge = {
  readonly bridgeId: string;
  readonly name: string;
  readonly modelId: string;
  readonly fingerprint: string;
};

const BUTTON_MS = 60_000;
const ASK_EVERY_MS = 1_000;
const ANSWER_MS = 10_000;
const ROOMS = { take_rooms: HUE_SETTINGS.take_rooms };
/** The round one, which has no API that tells what changes. */
const FIRST_GENERATION = 'BSB001';

/** Asks for the address, finds out what is there, and waits until a person presses the bridge's button. */
export async function* setUpHue(
  discovery: Discovery<HueSettings> | undefined,
  ports: SetupPorts,
): SetupSteps<SetupResult<HueSettings>> {
  const { host: foundHost } = discovery?.settings ?? {};
  let values: { host: string; take_rooms: boolean } | undefined;
  let errors: readonly FieldError[] = [];
  for (;;) {
    const isKnown = foundHost !== undefined && errors.length === 0;
    const fields = isKnown ? ROOMS : { host: HUE_SETTINGS.host, ...ROOMS };
    const shown = values ?? { ...(foundHost === undefined ? {} : { host: foundHost }), take_rooms: true };
    const shownValues = isKnown ? { take_rooms: shown.take_rooms } : shown;
    const answer: SetupAnswer = yield { type: 'form', fields, values: shownValues, errors };
    const { host = foundHost } = answer;
    values = { host: typeof host === 'string' ? host : '', take_rooms: answer['take_rooms'] !== false };
    yield { type: 'busy', ...said(words.steps, 'asking_host') };
    const reading = await readBridge(values.host, discovery?.uniqueId ?? null, ports);
    if (typeof reading === 'string') {
      errors = [fault(words.faults, reading, '/host')];
      continue;
    }
    const key = yield* askForKey(values.host, reading, ports);
    await refuseOldSoftware({ ...reading, host: values.host, key }, ports);
    return {
      uniqueId: reading.bridgeId,
      name: reading.name,
      settings: { ...values, fingerprint: reading.fingerprint },
      secrets: { key },
    };
  }
}

/** The bridge at an address, or what is wrong with the address. */
async function readBridge(
  host: string,
  expected: string | null,
  { http, signal }: SetupPorts,
): Promise<Bridge | keyof typeof words.faults> {
  try {
    const bridge = await readPublicConfig(http, host, signal);
    if (bridge === undefined) return 'no_bridge';
    if (bridge.modelId === FIRST_GENERATION) return 'round_bridge';
    if (expected !== null && bridge.bridgeId !== expected) return 'other_bridge';
    return bridge;
  } catch (cause) {
    return wrongHost(bridgeFaultFrom(cause), { BAD_ANSWER: 'no_bridge' } as const);
  }
}

async function* askForKey(
  host: string,
  bridge: Bridge,
  { http, signal, clock, startTimer }: SetupPorts,
): SetupSteps<string> {
  const body = JSON.stringify({ devicetype: 'hearthd#hub' });
  for (;;) {
    const untilMs = clock.monotonicMs() + BUTTON_MS;
    while (clock.monotonicMs() < untilMs) {
      yield { type: 'act', ...said(words.steps, 'press_button'), untilMs };
      const request = {
        url: `${originFrom('https', host)}/api`,
        tls: { pin: bridge.fingerprint },
        timeoutMs: ANSWER_MS,
        signal,
      };
      const answer = await http.request({ ...request, method: 'POST', body });
      const given = readNewKey(answer.body);
      if (given === undefined) throw failure(words.failures, 'bridge_refused');
      if (given !== 'not_pressed') return given.key;
      await waitMs(ASK_EVERY_MS, startTimer, signal);
    }
    yield choice(words.choices, 'not_pressed', {});
  }
}

/** Software from before the end of 2021 gives a key, but has no resources. */
async function refuseOldSoftware(
  { host, fingerprint, key }: { host: string; fingerprint: string; key: string },
  ports: SetupPorts,
): Promise<void> {
  const { status } = await ports.http.request({
    url: `${originFrom('https', host)}/clip/v2/resource/bridge`,
    headers: { 'hue-application-key': key },
    tls: { pin: fingerprint },
    timeoutMs: ANSWER_MS,
    signal: ports.signal,
  });
  if (status === 404) throw failure(words.failures, 'bridge_too_old');
}
