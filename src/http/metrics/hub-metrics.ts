import { createFamilyText, type Labels, labelText, type MetricFamily } from './exposition.ts';

export type HubVitals = {
  readonly version: string;
  readonly uptimeS: number;
  /** Resident. */
  readonly memoryBytes: number;
  readonly eventClients: number;
  readonly devices: number;
  readonly integrations: readonly { readonly id: string; readonly isUp: boolean }[];
  /** The bytes that the storage wrote since it opened, as of the last look at it; `null` if nobody counts them. */
  readonly bytesWritten: number | null;
};

/** The metrics of the hub itself, and the number of their lines. */
export function renderHubMetrics(vitals: HubVitals): { readonly chunks: readonly Buffer[]; readonly lines: number } {
  const { version, uptimeS, memoryBytes, eventClients, devices, integrations, bytesWritten } = vitals;
  const gauge = (name: string, help: string): MetricFamily => ({ name, type: 'gauge', help });
  const families: readonly (readonly [MetricFamily, readonly (readonly [Labels, number | boolean])[]])[] = [
    [gauge('hearthd_build_info', 'Version of the hub; always 1.'), [[{ version }, 1]]],
    [gauge('hearthd_uptime_seconds', 'Time since the hub started.'), [[{}, uptimeS]]],
    [gauge('hearthd_memory_bytes', 'Resident memory of the hub.'), [[{}, memoryBytes]]],
    [gauge('hearthd_event_clients', 'Streams and polls that wait for events.'), [[{}, eventClients]]],
    [gauge('hearthd_devices', 'Devices of the home.'), [[{}, devices]]],
    [
      gauge('hearthd_integration_up', 'Whether an integration that is on is connected.'),
      integrations.map(({ id, isUp }) => [{ integration: id }, isUp] as const),
    ],
    [
      {
        name: 'hearthd_storage_written_bytes_total',
        type: 'counter',
        help: 'Bytes that the storage wrote since it opened, as of a look at most a minute ago. Absent if not counted.',
      },
      bytesWritten === null ? [] : [[{}, bytesWritten]],
    ],
  ];
  const texts = families.map(([family, samples]) => {
    const text = createFamilyText(family);
    for (const [labels, value] of samples) text.add(labelText(labels), value);
    return text;
  });
  return {
    chunks: texts.flatMap((text) => text.chunks()),
    lines: texts.reduce((sum, text) => sum + text.lines(), 0),
  };
}
