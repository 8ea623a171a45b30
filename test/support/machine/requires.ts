import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export type Tool =
  | 'root'
  | 'mosquitto'
  | 'prometheus'
  | 'promtool'
  | 'victoria-metrics'
  | 'influxd'
  | 'zigbee2mqtt'
  | 'node-wot'
  | 'esphome-firmware'
  | 'zwave-js'
  | 'chip-sdk'
  | 'chromium'
  | 'firefox-esr'
  | 'clients'
  | 'mvn'
  | 'ip'
  | 'script'
  | 'curl'
  | 'jq'
  | 'python3'
  | 'python3-pymodbus'
  | 'slowhttptest'
  | 'ss'
  | 'avahi-daemon'
  | 'avahi-publish'
  | 'dbus-daemon'
  | 'dpkg-deb'
  | 'lintian'
  | 'shellcheck'
  | 'man'
  | 'mmdebstrap'
  | 'systemd-nspawn'
  | 'qemu-aarch64-static'
  | 'qemu-arm-static'
  | 'faketime'
  | 'systemd-analyze'
  | 'systemd-notify'
  | 'strace';

/** True to run, false to skip. With `CI=true` nothing is skipped, so a missing tool throws. */
export function needs(tool: Tool): boolean {
  const isThere = isInstalled(tool);
  if (!isThere && process.env['CI'] === 'true') throw new Error(`CI needs ${tool}, which is not there`);
  return isThere;
}

function isInstalled(tool: Tool): boolean {
  if (tool === 'root') return process.getuid?.() === 0;
  if (tool === 'node-wot') return existsSync(join(import.meta.dirname, '../wot/node_modules/@node-wot/core'));
  if (tool === 'esphome-firmware')
    return existsSync(join(import.meta.dirname, '../esphome/firmware/venv/node/testnode'));
  // Debian's own Python: another one in the path does not have Debian's packages.
  if (tool === 'python3-pymodbus') return spawnSync('/usr/bin/python3', ['-c', 'import pymodbus.client']).status === 0;
  if (tool === 'chip-sdk') return existsSync(join(import.meta.dirname, '../matter/chip/venv/bin/python'));
  if (tool === 'zwave-js') return existsSync(join(import.meta.dirname, '../zwave/network/node_modules/zwave-js'));
  if (tool === 'zigbee2mqtt') return existsSync(join(import.meta.dirname, '../zigbee2mqtt/node_modules/zigbee2mqtt'));
  if (tool === 'clients')
    return ['node_modules/openapi-fetch', 'venv/bin/openapi-generator-cli', 'venv/bin/go'].every(isClientTool);
  return spawnSync('which', [tool]).status === 0;
}

/** `.ci/night` installs them. */
function isClientTool(path: string): boolean {
  return existsSync(join(import.meta.dirname, '../clients', path));
}
