// Made from the tables of the hub by `npm run openapi`. Do not edit.

export const ROLES = ['owner', 'admin', 'resident', 'guest'] as const;

export const RIGHTS_OF_ROLE = {
  owner: ['device:read', 'device:control', 'device:control_sensitive', 'event:read', 'history:read', 'notification:read', 'mode:set', 'automation:read', 'automation:run', 'automation:manage', 'presence:tell', 'scene:run', 'scene:manage', 'device:manage', 'device:provide', 'room:manage', 'user:manage', 'system:read', 'metrics:read', 'notification:manage', 'energy:tell', 'hub:manage', 'system:manage', 'backup:create'],
  admin: ['device:read', 'device:control', 'device:control_sensitive', 'event:read', 'history:read', 'notification:read', 'mode:set', 'automation:read', 'automation:run', 'automation:manage', 'presence:tell', 'scene:run', 'scene:manage', 'device:manage', 'device:provide', 'room:manage', 'user:manage', 'system:read', 'metrics:read', 'notification:manage', 'energy:tell', 'hub:manage'],
  resident: ['device:read', 'device:control', 'device:control_sensitive', 'event:read', 'history:read', 'notification:read', 'mode:set', 'automation:read', 'automation:run', 'automation:manage', 'presence:tell', 'scene:run', 'scene:manage'],
  guest: ['device:read', 'device:control', 'event:read', 'notification:read', 'presence:tell', 'scene:run'],
} as const;

export const PLACE_RIGHTS = [
  'device:read',
  'device:control',
  'device:control_sensitive',
  'device:manage',
  'event:read',
  'history:read',
  'metrics:read',
  'notification:read',
  'presence:tell',
  'scene:run',
  'scene:manage',
] as const;

export const SENSITIVE = {
  types: ['door_lock', 'water_valve', 'siren'],
  entrances: ['locked', 'arm_mode'],
  garage: /^x\..*garage/,
  requests: /^(valve_open|siren|x\.(.+_)?(alarm|siren|valve)(_.+)?)$/,
} as const;

export const COUNTERS = ['rainfall', 'energy', 'energy_returned', 'water_volume', 'gas_volume'] as const;

export const UNRECORDED = ['link_quality', 'last_seen'] as const;

export const FINAL_STATUSES = ['confirmed', 'unconfirmed', 'superseded', 'expired', 'failed'] as const;

export const SEVERITIES = ['info', 'warning', 'critical'] as const;

export const RECORDING_MODES = ['auto', 'on', 'off'] as const;

export const EXPORTER_TYPES = ['line_protocol', 'mqtt'] as const;

export const PERIODS = ['day', 'month', 'year'] as const;

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun', 'workday'] as const;

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export const PRICED_FLOWS = ['import', 'export', 'gas', 'water'] as const;

export const TARIFF_KINDS = ['fixed', 'times', 'pushed'] as const;

export const LIMITS = { name: 100, email: 254, leastPassword: 10, note: 200, description: 2000, url: 2000, series: 50 } as const;
