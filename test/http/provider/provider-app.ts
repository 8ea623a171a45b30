import type { TokenScope } from '#auth/scope.ts';
import { type HubApp, openHubApp } from '#test/support/hub/hub-app.ts';

export type Answer = { readonly status: number; readonly json: Record<string, unknown> & { readonly code?: string } };
type Asking = { readonly token?: string; readonly signal?: AbortSignal };

export const THERMOMETER = {
  name: 'Roof',
  type: 'temperature_sensor',
  features: [
    { key: 'temperature', capability: 'temperature', kind: 'state', value_type: 'number', min: -50, max: 60 },
    { key: 'button', capability: 'button', kind: 'event', value_type: 'object', options: ['single'] },
  ],
};
export const HEATER = {
  name: 'Heater',
  type: 'on_off_plug_in_unit',
  features: [
    { key: 'on', capability: 'on', kind: 'state', value_type: 'boolean' },
    {
      key: 'x.level',
      capability: 'x.level',
      kind: 'state',
      value_type: 'enum',
      options: ['eco', 'boost'],
      writable: true,
    },
    { key: 'identify', capability: 'identify', kind: 'action', value_type: 'none' },
  ],
};

/** A hub with the script `weather` and its token. */
export async function openProviderApp() {
  const hub: HubApp = await openHubApp(['Lamp']);
  const owner = hub.auth.accounts.users()[0];
  if (owner === undefined) throw new Error('the hub has no owner');
  const addToken = (provider: string, scopes: readonly TokenScope[] = ['device:provide']) =>
    hub.auth.apiTokens.addToken({
      userId: owner.id,
      name: 'script',
      scopes,
      provider,
      roomIds: null,
      deviceIds: null,
      networks: null,
      expiresInS: null,
    });
  const { token, text } = await addToken('weather');
  const call = async (line: string, body?: unknown, { token: bearer = text, signal }: Asking = {}): Promise<Answer> => {
    const [method = '', path = ''] = line.split(' ');
    const json = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const headers = { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json', Prefer: 'wait=0' };
    const asked = new Request(`http://hub.local/api/v1${path}`, {
      method,
      headers,
      ...json,
      ...(signal ? { signal } : {}),
    });
    const answer = await hub.app.fetch(asked);
    const said = await answer.text();
    return { status: answer.status, json: said === '' ? {} : (JSON.parse(said) as Answer['json']) };
  };
  return {
    hub,
    tokenId: token.id,
    addToken: async (...given: Parameters<typeof addToken>) => (await addToken(...given)).text,
    call,
    asOwner: (line: string, body?: unknown) => call(line, body, { token: hub.accessToken }),
    device: (externalId: string) => hub.home.registry.findByExternalId('weather', externalId),
  };
}

export type ProviderApp = Awaited<ReturnType<typeof openProviderApp>>;

/** The same with its two devices, both of which it has reported. */
export async function openRunningProvider(): Promise<ProviderApp> {
  const app = await openProviderApp();
  await app.call('PUT /provider/weather', { name: 'Weather', lease_s: 60 });
  await app.call('PUT /provider/weather/device/roof', THERMOMETER);
  await app.call('PUT /provider/weather/device/heater', HEATER);
  await app.call('POST /provider/weather/state', { reports: [{ device: 'roof' }, { device: 'heater' }] });
  return app;
}

export const inShort = ({ status, json }: Answer): string => `${status} ${json.code ?? ''}`.trim();
