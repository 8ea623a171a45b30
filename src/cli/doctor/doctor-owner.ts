import { type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from '#base/errno.ts';
import type { Config } from '#config/config.ts';
import type { Finding } from './finding.ts';
import { findForeign } from '#cli/state/foreign-files.ts';
import { rightsOf } from '#cli/state/run-as.ts';

const SHOWN = 5;

/** Whether the user of the hub can read and write its files: root, who may be running this, always can. */
export function checkOwner({ stateDir, mqtt }: Pick<Config, 'stateDir' | 'mqtt'>): Finding[] {
  const owner = find(stateDir);
  if (owner === undefined || owner.uid === 0) return [];
  const findings: Finding[] = [];
  const foreign = findForeign(stateDir, owner.uid);
  if (foreign.length > 0) {
    const text = `${foreign.length} of its files belong to other users`;
    const advice = `chown -R --reference=${stateDir} ${stateDir}, then systemctl restart hearthd`;
    findings.push({ level: 'fail', subject: 'state folder', text, advice, details: foreign.slice(0, SHOWN) });
  }
  if (mqtt.passwordFile !== null && !canRead(mqtt.passwordFile, owner)) {
    const text = `the user of the hub cannot read the password file ${mqtt.passwordFile}`;
    const advice = `chgrp ${owner.gid} ${mqtt.passwordFile} && chmod 640 ${mqtt.passwordFile}`;
    findings.push({ level: 'fail', subject: 'MQTT broker', text, advice });
  }
  return findings;
}

/** Judges by the modes of the file and its folders; `true` for a missing file, which another check reports. */
function canRead(path: string, user: Stats): boolean {
  const file = find(path);
  if (file === undefined) return true;
  let isReached = (rightsOf(file, user) & 0o4) !== 0;
  for (let folder = dirname(path); isReached && folder !== dirname(folder); folder = dirname(folder)) {
    const stats = find(folder);
    isReached = stats === undefined || (rightsOf(stats, user) & 0o1) !== 0;
  }
  return isReached;
}

/** Files come and go during the check, and some can be read only by root. */
function find(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
}
