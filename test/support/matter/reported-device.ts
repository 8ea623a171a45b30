import { type ClientNode, FabricIndex, Logger, LogLevel, NodeId } from '@matter/main';
import { type ClientEndpointInitializer, ControllerBehavior, EndpointInitializer } from '@matter/main/node';
import { FabricAuthority, Read, type ReadResult } from '@matter/main/protocol';
import { AttributeId, ClusterId, EndpointNumber } from '@matter/main/types';
import { onTestFinished, vi } from 'vitest';
import { createHomeNode } from '#integrations/matter-program/controller/home-node.ts';
import { LanNetwork } from '#integrations/matter-program/process/lan-network.ts';
import { createNodeStore } from '#integrations/matter-program/process/node-store.ts';

/** Values of clusters, by the numbers of their attributes. */
export type Reports = readonly {
  readonly endpoint: number;
  readonly cluster: number;
  readonly values: Readonly<Record<number, unknown>>;
}[];

/** A device of a home, of which the test says what it reports. Nothing is sent. */
export async function openReportedDevice() {
  Logger.level = LogLevel.FATAL;
  const fault = vi.fn<(what: string, cause: unknown) => void>();
  const start = { type: 'start', port: 5_541, addresses: [], memory: null, about: { name: 'Home' } } as const;
  const network = new LanNetwork([], fault);
  const home = await createHomeNode({ start, network, store: createNodeStore(null, async () => undefined, {}), fault });
  onTestFinished(() => home.close());
  await home.act((agent) => agent.load(ControllerBehavior));
  const config = await home.act((agent) => agent.get(ControllerBehavior).fabricAuthorityConfig);
  const { fabricIndex } = await (await home.env.load(FabricAuthority)).defaultFabric(config);
  const node = await home.peers.forAddress({ fabricIndex: FabricIndex(fabricIndex), nodeId: NodeId(7) });
  return { node, fault, report: (reports: Reports) => takeReports(node, reports) };
}

async function takeReports(node: ClientNode, reports: Reports): Promise<void> {
  const { structure } = node.env.get(EndpointInitializer) as ClientEndpointInitializer;
  const chunk = reports.flatMap(({ endpoint, cluster, values }) =>
    Object.entries(values).map(([attribute, value]): ReadResult.Report => {
      const path = {
        endpointId: EndpointNumber(endpoint),
        clusterId: ClusterId(cluster),
        attributeId: AttributeId(Number(attribute)),
      };
      return { kind: 'attr-value', path, value, version: 1, tlv: undefined as never };
    }),
  );
  const chunks = (async function* () {
    yield chunk;
  })();
  for await (const _ of structure.mutate(Read({ attributes: [{}] }), chunks));
}
