import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

let lines: readonly string[] | undefined;

/** Every `bridge/devices` entry of the fixture, as text. */
export function deviceEntryTexts(): readonly string[] {
  const path = join(import.meta.dirname, '../../fixtures/zigbee2mqtt/bridge-devices.jsonl.gz');
  lines ??= gunzipSync(readFileSync(path)).toString().trimEnd().split('\n');
  return lines;
}

/** The entry of one definition by its friendly name in the fixture, `vendor/model`. */
export function deviceEntry(name: string): Record<string, unknown> {
  const wanted = JSON.stringify(name);
  const line = deviceEntryTexts().find((text) => text.includes(`"friendly_name":${wanted}`));
  if (line === undefined) throw new Error(`the fixture has no ${name}`);
  return JSON.parse(line) as Record<string, unknown>;
}
