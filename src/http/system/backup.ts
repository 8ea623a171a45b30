import { z } from 'zod/mini';
import type { SessionId } from '#auth/session/session.ts';
import { HubError } from '#base/hub-error.ts';
import type { AuthorizedChange } from '#core/person/authorized-change.ts';
import { sessionOf } from '#http/rights/access.ts';
import { tooLarge } from '#http/routing/json-body.ts';
import type { Route, RouteAnswer, RouteRequest } from '#http/routing/route.ts';
import { defineRoute } from '#http/routing/route.ts';
import { type BackupInfo, backupDetailSchema, backupJson, backupSchema } from './json.ts';
import { paceUpload, type UploadPaceDeps } from '#http/server/upload-pace.ts';
import * as notes from './notes.ts';

export type BackupContentInfo = {
  readonly users: number;
  readonly rooms: number;
  readonly devices: number;
  readonly hubVersion: string | null;
};

export type BackupRoutesDeps = UploadPaceDeps & {
  /** Newest first. */
  readonly list: () => Promise<readonly BackupInfo[]>;
  readonly make: () => Promise<BackupInfo>;
  /** The file of one; `undefined` where there is none of this id. */
  readonly open: (
    id: string,
  ) => Promise<{ readonly size: number; readonly content: ReadableStream<Uint8Array> } | undefined>;
  /** Reads one whole and says what is in it. INVALID_BACKUP for one that cannot be restored. */
  readonly look: (id: string) => Promise<(BackupInfo & { readonly content: BackupContentInfo }) | undefined>;
  /** What an upload may have; 256 MiB where it is not given. */
  readonly maxUploadBytes?: number;
  /** Checks the file whole, then puts it in the place of the present state. INVALID_BACKUP changes nothing. */
  readonly restore: (content: AsyncIterable<Uint8Array>, keep: SessionId, given: AuthorizedChange) => Promise<void>;
};

const MEDIA_TYPE = 'application/vnd.sqlite3';
/** A house of ten thousand devices takes some 60 MB. */
const MAX_UPLOAD_BYTES = 256 * 1024 * 1024;

/** Backups of everything but the keys, for the owner alone. */
export function backupRoutes(deps: BackupRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'listBackups',
      method: 'GET',
      path: '/api/v1/backup',
      summary: 'List the backups, the newest first',
      tag: 'Hub',
      note: notes.listBackups,
      access: 'system:manage',
      answers: { 200: z.array(backupSchema) },
      handle: async () => ({ status: 200, json: (await deps.list()).map(backupJson) }),
    }),
    defineRoute({
      id: 'createBackup',
      method: 'POST',
      path: '/api/v1/backup',
      summary: 'Make a backup of now',
      tag: 'Hub',
      note: notes.createBackup,
      access: 'system:manage',
      answers: { 201: backupSchema },
      audit: 'backup.made',
      handle: async () => {
        const backup = await deps.make();
        const headers = { Location: `/api/v1/backup/${backup.id}/content` };
        return { status: 201, json: backupJson(backup), headers };
      },
    }),
    defineRoute({
      id: 'getBackup',
      method: 'GET',
      path: '/api/v1/backup/:id',
      summary: 'Show one backup with what is in it',
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
      access: 'system:manage',
      answers: { 200: null },
      audit: ({ params }) => ({ type: 'backup.downloaded', detail: params['id'] }),
      handle: async ({ params, authorize }) => {
        const id = params['id'] ?? '';
        const file = await deps.open(id);
        if (file === undefined) throw noSuchBackup();
        const headers = {
          'Content-Type': MEDIA_TYPE,
          'Content-Length': String(file.size),
          'Content-Disposition': `attachment; filename="hearthd-${id}.db"`,
        };
        return { status: 200, bytes: downloadWhileAllowed(file.content, authorize), headers };
      },
    }),
    ...restoreRoutes(deps),
  ];
}

/** A kept backup goes the way of an uploaded one: the same checks, and the same questions to the caller’s rights. */
function restoreRoutes(deps: BackupRoutesDeps): readonly Route[] {
  let isRestoring = false;
  /** One at a time: each takes as much of the disk as the database may have. */
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
      summary: 'Put an uploaded backup in the place of everything; ends all sessions but the caller’s',
      tag: 'Hub',
      note: notes.restoreBackup,
      access: 'system:manage',
      answers: { 204: null },
      audit: { unaudited: 'the hub notes it in the home that it then has, whose log goes on' },
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
      summary: 'Put a backup that the hub keeps in the place of everything; ends all sessions but the caller’s',
      tag: 'Hub',
      note: notes.restoreKeptBackup,
      access: 'system:manage',
      answers: { 204: null },
      audit: { unaudited: 'the hub notes it in the home that it then has, whose log goes on' },
      handle: async (request) => {
        const file = await deps.open(request.params['id'] ?? '');
        if (file === undefined) throw noSuchBackup();
        try {
          return await restore(request, file.content);
        } finally {
          // What was refused before the first byte has left the file open.
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

/** The file takes its time, an uploaded one minutes. It goes no further once the caller's login or rights have ended. */
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

/** The same for a download. The stream fails, so that the client cannot take a part for the whole file. */
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
    // Nothing is read before the client takes it: a HEAD reads nothing at all.
    { highWaterMark: 0 },
  );
}
