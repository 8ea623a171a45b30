import * as z from 'zod/mini';
import type { SessionId } from '#auth/session/session.ts';
import { HubError } from '#base/hub-error.ts';
import type { AuthorizedTerms } from '#core/records/change-terms.ts';
import { type Caller, callerId } from '#auth/caller.ts';
import { createTokenBuckets, type TokenBuckets } from '#base/token-buckets.ts';
import { callerOf, sessionOf } from '#http/rights/access.ts';
import { tooLarge } from '#http/routing/json-body.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import type { Route, RouteRequest } from '#http/routing/route.ts';
import { defineRoute } from '#http/routing/route.ts';
import { type BackupInfo, backupDetailSchema, backupJson, backupSchema } from './json.ts';
import { paceUpload, type UploadPaceDeps } from '#http/routing/upload-pace.ts';
import * as notes from './notes.ts';

type BackupContentInfo = {
  readonly users: number;
  readonly rooms: number;
  readonly devices: number;
  readonly hubVersion: string | null;
};

export type BackupRoutesDeps = UploadPaceDeps & {
  /** Newest first. */
  readonly list: () => Promise<readonly BackupInfo[]>;
  readonly make: (kind: 'manual' | 'script') => Promise<BackupInfo>;
  /** The file of the backup; `undefined` if there is none with this id. */
  readonly open: (
    id: string,
  ) => Promise<{ readonly size: number; readonly content: ReadableStream<Uint8Array> } | undefined>;
  /** Reads a whole backup and returns what it contains. Throws INVALID_BACKUP if it cannot be restored. */
  readonly look: (id: string) => Promise<(BackupInfo & { readonly content: BackupContentInfo }) | undefined>;
  /** The largest upload; by default 256 MiB. */
  readonly maxUploadBytes?: number;
  /** Checks the whole file, then replaces the present state by it. Throws INVALID_BACKUP before it changes anything. */
  readonly restore: (content: AsyncIterable<Uint8Array>, keep: SessionId, terms: AuthorizedTerms) => Promise<void>;
};

const MEDIA_TYPE = 'application/vnd.sqlite3';
/** A home with ten thousand devices needs some 60 MB. */
const MAX_UPLOAD_BYTES = 256 * 1024 * 1024;

/** An API token makes so many a day, and downloads as many: each writes or sends the whole database. */
const A_DAY = 6;
const DAY_MS = 86_400_000;
/** Owners with a token for backups, and their tokens, are few. */
const MAX_NAMES = 64;

/** Backups of everything but the keys, only for the owner. */
export function backupRoutes({ backups: deps }: { readonly backups: BackupRoutesDeps }): readonly Route[] {
  const { monotonicMs } = deps;
  const ration = { capacity: A_DAY, refillMs: DAY_MS / A_DAY, maxNames: MAX_NAMES, monotonicMs };
  const make = makerOf(deps, createTokenBuckets(ration));
  const takeSent = rationOf(createTokenBuckets(ration));
  return [
    defineRoute({
      id: 'listBackups',
      method: 'GET',
      path: '/api/v1/backup',
      summary: 'List the backups, newest first',
      tag: 'Hub',
      note: notes.listBackups,
      access: 'backup:create',
      answers: { 200: z.array(backupSchema) },
      handle: async () => ({ status: 200, json: (await deps.list()).map(backupJson) }),
    }),
    defineRoute({
      id: 'createBackup',
      method: 'POST',
      path: '/api/v1/backup',
      summary: 'Make a backup',
      tag: 'Hub',
      note: notes.createBackup,
      access: 'backup:create',
      answers: { 201: backupSchema },
      audit: 'backup.made',
      handle: async (request) => {
        const backup = await make(callerOf(request));
        const headers = { Location: `/api/v1/backup/${backup.id}/content` };
        return { status: 201, json: backupJson(backup), headers };
      },
    }),
    defineRoute({
      id: 'getBackup',
      method: 'GET',
      path: '/api/v1/backup/:id',
      summary: 'Show one backup and its content',
      tag: 'Hub',
      note: notes.getBackup,
      access: 'system:manage',
      answers: { 200: backupDetailSchema },
      handle: async ({ params, authorize }) => {
        const backup = await deps.look(params['id'] ?? '');
        authorize();
        if (backup === undefined) throw noSuchBackup();
        const { users, rooms, devices, hubVersion } = backup.content;
        const content = { people: users, rooms, devices, hub_version: hubVersion };
        return { status: 200, json: { ...backupJson(backup), content } };
      },
    }),
    defineRoute({
      id: 'downloadBackup',
      method: 'GET',
      path: '/api/v1/backup/:id/content',
      summary: 'Download a backup',
      tag: 'Hub',
      note: notes.downloadBackup,
      access: 'backup:create',
      answers: { 200: null },
      audit: ({ params }) => ({ type: 'backup.downloaded', detail: params['id'] }),
      handle: async (request) => {
        takeSent(callerOf(request));
        return sendBackup(deps, request.params['id'] ?? '', request.authorize);
      },
    }),
    contentRoute(deps, make),
    ...restoreRoutes(deps),
  ];
}

type Make = (caller: Caller) => Promise<BackupInfo>;

function makerOf(deps: BackupRoutesDeps, buckets: TokenBuckets): Make {
  const take = rationOf(buckets);
  return async (caller) => {
    if (caller.kind === 'session') return deps.make('manual');
    take(caller);
    try {
      return await deps.make('script');
    } catch (cause) {
      // That there is no room is known before anything is written.
      if (cause instanceof HubError && cause.code === 'STORAGE_FULL') buckets.giveBack(callerId(caller));
      throw cause;
    }
  };
}

function contentRoute(deps: BackupRoutesDeps, make: Make): Route {
  return defineRoute({
    id: 'createBackupContent',
    method: 'POST',
    path: '/api/v1/backup/content',
    summary: 'Make a backup and download it',
    tag: 'Hub',
    note: notes.createBackupContent,
    access: 'backup:create',
    once: 'place',
    answers: { 200: null },
    audit: 'backup.made',
    handle: async (request) => {
      const { id } = await make(callerOf(request));
      request.authorize();
      const { headers, ...answer } = await sendBackup(deps, id, request.authorize);
      const Location = `/api/v1/backup/${id}/content`;
      return { ...answer, headers: { ...headers, Location }, auditDetail: `${id} and downloaded` };
    },
  });
}

/** People who are logged in have no such ration. */
function rationOf(buckets: TokenBuckets): (caller: Caller) => void {
  return (caller) => {
    if (caller.kind === 'session' || buckets.take(callerId(caller))) return;
    throw new HubError('TOO_MANY_REQUESTS', `An API token may do this ${A_DAY} times a day.`, {
      retryAfterS: DAY_MS / A_DAY / 1_000,
    });
  };
}

async function sendBackup(deps: BackupRoutesDeps, id: string, authorize: () => void): Promise<RouteAnswer> {
  const file = await deps.open(id);
  if (file === undefined) throw noSuchBackup();
  const headers = {
    'Content-Type': MEDIA_TYPE,
    'Content-Length': String(file.size),
    'Content-Disposition': `attachment; filename="hearthd-${id}.db"`,
  };
  return { status: 200, bytes: downloadWhileAllowed(file.content, authorize), headers };
}

/** Kept and uploaded backups go the same way: the same checks of the file and of the caller’s rights. */
function restoreRoutes(deps: BackupRoutesDeps): readonly Route[] {
  let isRestoring = false;
  /** One at a time: each may take as much disk space as the database. */
  const restore = async (
    { authorize, caller }: RouteRequest<unknown, unknown>,
    content: AsyncIterable<Uint8Array>,
  ): Promise<RouteAnswer> => {
    if (isRestoring) {
      throw new HubError('OVERLOADED', 'Another backup is being restored: wait for its end.', { retryAfterS: 10 });
    }
    isRestoring = true;
    try {
      await deps.restore(whileAllowed(content, authorize), sessionOf({ caller }).sessionId, { authorize });
    } finally {
      isRestoring = false;
    }
    return { status: 204 };
  };
  return [
    defineRoute({
      id: 'restoreBackup',
      method: 'POST',
      path: '/api/v1/backup/restore',
      summary: 'Restore an uploaded backup; ends all sessions but yours',
      tag: 'Hub',
      note: notes.restoreBackup,
      access: 'system:manage',
      answers: { 204: null },
      audit: { unaudited: 'the hub notes it in the restored home, where the log goes on' },
      handle: (request) => {
        refuseMediaType(request.header('content-type'));
        const maxBytes = deps.maxUploadBytes ?? MAX_UPLOAD_BYTES;
        if (Number(request.header('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
        const stream = request.stream();
        if (stream === null) throw new HubError('INVALID_BACKUP', 'The body is empty: send the file of a backup.');
        return restore(request, paceUpload(limitBytes(stream, maxBytes), deps));
      },
    }),
    defineRoute({
      id: 'restoreKeptBackup',
      method: 'POST',
      path: '/api/v1/backup/:id/restore',
      summary: 'Restore a backup that the hub keeps; ends all sessions but yours',
      tag: 'Hub',
      note: notes.restoreKeptBackup,
      access: 'system:manage',
      answers: { 204: null },
      audit: { unaudited: 'the hub notes it in the restored home, where the log goes on' },
      handle: async (request) => {
        const file = await deps.open(request.params['id'] ?? '');
        if (file === undefined) throw noSuchBackup();
        try {
          return await restore(request, file.content);
        } finally {
          // A refusal before the first byte leaves the file open.
          if (!file.content.locked) await file.content.cancel();
        }
      },
    }),
  ];
}

function noSuchBackup(): HubError {
  return new HubError('NOT_FOUND', 'There is no such backup.');
}

function refuseMediaType(contentType: string | undefined): void {
  const mediaType = contentType?.split(';')[0]?.trim().toLowerCase();
  if (mediaType === MEDIA_TYPE || mediaType === 'application/octet-stream') return;
  throw new HubError('UNSUPPORTED_MEDIA_TYPE', `Send the file as ${MEDIA_TYPE} or application/octet-stream.`);
}

async function* limitBytes(content: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

/** A file takes time, an upload minutes: it stops as soon as the caller's login or rights end. */
async function* whileAllowed(
  content: AsyncIterable<Uint8Array>,
  authorize: () => void,
): AsyncGenerator<Uint8Array, void, void> {
  for await (const chunk of content) {
    authorize();
    yield chunk;
  }
  authorize();
}

/** The same for a download. The stream fails, so that the client cannot mistake a part for the whole file. */
function downloadWhileAllowed(content: ReadableStream<Uint8Array>, authorize: () => void): ReadableStream<Uint8Array> {
  const reader = content.getReader();
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await reader.read();
        try {
          authorize();
        } catch (cause) {
          await reader.cancel(cause);
          throw cause;
        }
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Read only what the client takes: a HEAD reads nothing at all.
    { highWaterMark: 0 },
  );
}
