import type { Authenticate } from '#auth/authenticate.ts';
import { hasSameRights } from '#auth/caller.ts';
import { HubError } from '#base/hub-error.ts';
import { callerOf } from './caller-of.ts';
import type { RouteRequest } from './route.ts';

type Asking = Pick<RouteRequest<unknown, unknown>, 'caller' | 'peer' | 'header'>;

/** What takes long may go on as long as its request would be answered anew, for a caller with the same rights. */
export function accessCheckOf(request: Asking, authenticate: Authenticate): () => Promise<boolean> {
  const caller = callerOf(request);
  const { peer } = request;
  const authorization = request.header('authorization') ?? '';
  return async () => {
    try {
      return hasSameRights(await authenticate([authorization], peer), caller);
    } catch (cause) {
      if (cause instanceof HubError) return false;
      throw cause;
    }
  };
}
