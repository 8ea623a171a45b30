import { ACCOUNT_NOTES } from './account-notes.ts';
import { HOME_NOTES } from './home-notes.ts';
import type { OperationNote } from './note.ts';

/** By method and path of the route. */
export const NOTES: Readonly<Record<string, OperationNote>> = { ...ACCOUNT_NOTES, ...HOME_NOTES };

/** Groups of calls in the order in which they are shown, with the first path segments that belong to each. */
export const TAGS = [
  {
    name: 'Account',
    description: 'Logging in, tokens, sessions and the own account.',
    segments: ['login', 'access_token', 'logout', 'session', 'me', 'user', 'api_token', 'setup'],
  },
  { name: 'Device', description: 'The devices of the home.', segments: ['device'] },
  { name: 'Command', description: 'Telling devices what to be or do.', segments: ['command'] },
  { name: 'Event', description: 'What happens, as it happens.', segments: ['event'] },
  { name: 'Webhook', description: 'Receivers at home that are told what happens.', segments: ['webhook'] },
  { name: 'Delivery', description: 'What the hub sends to those receivers.', segments: [] },
  { name: 'Room', description: 'The rooms of the home.', segments: ['room'] },
  { name: 'Integration', description: 'The ways to reach devices.', segments: ['integration'] },
  {
    name: 'Hub',
    description: 'The hub itself: its identity, health, machine, backups and audit log.',
    segments: ['', 'hub', 'health', 'system', 'backup', 'audit'],
  },
  {
    name: 'Reference',
    description: 'What the API consists of: words, failures, this document.',
    segments: ['vocabulary', 'problems', 'openapi.json', 'docs'],
  },
] as const;

export const INTRODUCTION = `The API of a home hub on the local network. It is reachable from there alone, over plain HTTP.

Log in with \`POST /api/v1/login\` and send the access token with every call as \`Authorization: Bearer …\`. It is valid
for 24 hours; \`POST /api/v1/access_token\` gives a new one for the refresh token, for 30 days. A script that runs for
years uses an API token (\`POST /api/v1/api_token\`) in its place.

- Names of fields are \`snake_case\`, ids lower-case UUIDs. A \`selector\` is a stable, readable name and is taken wherever an id is.
- Times are RFC 3339 in UTC with milliseconds; durations carry their unit in the name.
- Every answer that is not a success is \`application/problem+json\` (RFC 9457) with a \`code\` from a published list.
- Clients ignore fields and enum members that they do not know. The hub refuses body fields (422) and query parameters (400) that it does not know, but for the bodies of \`/login\` and \`/access_token\`.
- Every GET answers HEAD too. Every answer has an \`X-Request-Id\`; what is below \`/api\` is not to be stored, or is revalidated where there is an \`ETag\`.
- Version 1 only grows: no path, method, field, type, status or code is removed or narrowed.`;
