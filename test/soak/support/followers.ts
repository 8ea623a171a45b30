import { type ClientRequest, get } from 'node:http';
import { createFrameReader, type Frame } from '#test/support/daemon/event-client.ts';

export type FollowersDeps = {
  readonly port: number;
  /** Each session may have 16 streams, each address 32 connections: each fifteen have a token. */
  readonly token: (group: number) => string | undefined;
  readonly clients: number;
  /** The first so many never read. */
  readonly neverReading: number;
  readonly nowMs: () => number;
  /** How long each report took whose value says when it was sent. Reports that a client catches up on do not count. */
  readonly onReport: (sentMs: number, tookMs: number) => void;
};

/** Clients of the event stream that come and go, and what each of them missed. */
export type Followers = {
  /** Cuts off some of those that read; they come back with their last id, some as new ones. */
  readonly flap: () => void;
  readonly received: () => number;
  readonly resumed: () => number;
  readonly gaps: () => number;
  readonly refused: () => readonly string[];
  readonly connected: () => number;
  /** Events that came twice or out of order, or that another client got and this one never did. */
  readonly faults: () => readonly string[];
  /** Numbers between the first and the last event that no client got. */
  readonly unreceived: () => number;
  readonly stop: () => void;
};

type Follower = {
  readonly index: number;
  lastId: string | undefined;
  last: number;
  request: ClientRequest | undefined;
  /** When it was last answered. */
  sinceMs: number;
};

export const PER_SESSION = 15;
const LONGEST_AWAY_MS = 3_000;
const sequenceOf = (id: string | undefined): number => Number(id?.split('-')[1]);

export function startFollowers({ port, token, clients, neverReading, ...deps }: FollowersDeps): Followers {
  const seen = new Set<number>();
  const skipped: { readonly follower: number; readonly from: number; readonly to: number }[] = [];
  const faults: string[] = [];
  const refused: string[] = [];
  const away = new Set<NodeJS.Timeout>();
  const open = new Set<ClientRequest>();
  const count = { received: 0, resumed: 0, gaps: 0 };

  const note = (follower: Follower, { id, type, data }: Frame): void => {
    const sequence = sequenceOf(id);
    const { index, last } = follower;
    follower.lastId = id;
    if (type === 'hub.gap') count.gaps += 1;
    if (type === 'hub.gap' || type === 'hub.snapshot' || last === 0) {
      follower.last = sequence;
      return;
    }
    const isEvent = type !== 'hub.heartbeat';
    if (isEvent ? sequence <= last : sequence < last) faults.push(`${index}: ${sequence} after ${last} (${type})`);
    const to = isEvent ? sequence - 1 : sequence;
    if (to > last) skipped.push({ follower: index, from: last + 1, to });
    follower.last = sequence;
    if (!isEvent) return;
    seen.add(sequence);
    count.received += 1;
    const { feature } = data as { feature?: { key: string; value: number } };
    if (feature?.key !== 'power' || feature.value < follower.sinceMs) return;
    deps.onReport(feature.value, deps.nowMs() - feature.value);
  };
  const follow = (follower: Follower): void => {
    const { index, lastId } = follower;
    const group = Math.floor(index / PER_SESSION);
    const headers = {
      Accept: 'text/event-stream',
      Authorization: `Bearer ${token(group)}`,
      ...(lastId === undefined ? {} : { 'Last-Event-ID': lastId }),
    };
    const where = { host: '127.0.0.1', port, path: '/api/v1/event', localAddress: `127.0.0.${10 + group}` };
    const request = get({ ...where, agent: false, headers });
    follower.request = request;
    open.add(request);
    request.on('error', () => undefined);
    request.on('close', () => {
      open.delete(request);
      // Cut off by the hub, as one that was too slow: it comes back as an EventSource does.
      if (follower.request === request) comeBack(follower);
    });
    request.on('response', (response) => {
      response.on('error', () => undefined);
      follower.sinceMs = deps.nowMs();
      if (response.statusCode !== 200) refused.push(`${index} is answered ${response.statusCode}`);
      else if (index < neverReading) response.pause();
      else
        response.on(
          'data',
          createFrameReader((frame) => follower.request === request && note(follower, frame)),
        );
    });
  };
  const comeBack = (follower: Follower): void => {
    follower.request = undefined;
    const timer = setTimeout(() => {
      away.delete(timer);
      count.resumed += 1;
      follow(follower);
    }, Math.random() * LONGEST_AWAY_MS);
    away.add(timer);
  };
  const followers = Array.from({ length: clients }, (_, index): Follower => {
    return { index, lastId: undefined, last: 0, request: undefined, sinceMs: 0 };
  });
  for (const follower of followers) follow(follower);
  const missedBy = ({ from, to }: { from: number; to: number }): boolean => {
    for (let at = from; at <= to; at += 1) if (seen.has(at)) return true;
    return false;
  };
  return {
    flap: () => {
      for (const follower of followers) {
        const { request } = follower;
        if (follower.index < neverReading || request === undefined || Math.random() > 0.1) continue;
        comeBack(follower);
        if (Math.random() < 0.3) {
          follower.lastId = undefined;
          follower.last = 0;
        }
        request.destroy();
      }
    },
    received: () => count.received,
    resumed: () => count.resumed,
    gaps: () => count.gaps,
    refused: () => refused,
    connected: () => open.size,
    faults: () => {
      // Not by spreading them: an hour has millions.
      let newest = 0;
      for (const sequence of seen) newest = Math.max(newest, sequence);
      const missed = skipped.filter(missedBy).map((one) => `${one.follower} never had ${one.from} to ${one.to}`);
      const reading = followers.filter(({ index }) => index >= neverReading);
      const behind = reading
        .filter(({ last }) => last < newest)
        .map((one) => `${one.index} is behind: ${one.last} of ${newest}`);
      return [...faults, ...missed, ...behind];
    },
    unreceived: () => {
      const sorted = [...seen].sort((left, right) => left - right);
      return (sorted.at(-1) ?? 0) - (sorted[0] ?? 0) + 1 - sorted.length;
    },
    stop: () => {
      for (const timer of away) clearTimeout(timer);
      for (const follower of followers) follower.request = undefined;
      for (const request of open) request.destroy();
    },
  };
}
