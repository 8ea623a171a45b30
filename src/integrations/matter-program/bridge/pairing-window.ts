import { Crypto, type ServerNode } from '@matter/main';
import { AdministratorCommissioningServer } from '@matter/main/behaviors/administrator-commissioning';
import { AdministratorCommissioning } from '@matter/main/clusters/administrator-commissioning';
import { DeviceCommissioner, FabricManager, PaseClient } from '@matter/main/protocol';
import type { PairingCodes, WindowEnd } from '#integrations/matter-bridge/node-message.ts';
import { NotKeptError } from '#integrations/matter-program/process/hub-channel.ts';

/** The time in which another home may take the bridge in. */
export type PairingWindow = ReturnType<typeof createPairingWindow>;

type PairingWindowDeps = {
  readonly node: ServerNode;
  /** Rejects where the disk takes nothing. */
  readonly probe: () => Promise<void>;
  readonly onChange: (codes: PairingCodes | null, why: WindowEnd | null, cause?: unknown) => void;
};

const { CommissioningWindowStatus: WindowStatus } = AdministratorCommissioning;

export function createPairingWindow({ node, probe, onChange }: PairingWindowDeps) {
  let timer: NodeJS.Timeout | undefined;
  let why: WindowEnd | undefined;
  let isOpen = false;
  /** The fabrics that were there when it was opened. */
  let known: ReadonlySet<number> = new Set();
  const fabrics = (): readonly number[] => node.env.get(FabricManager).map(({ fabricIndex }) => fabricIndex);
  /** A controller has a window of its own open, for another controller. */
  const isOpenElsewhere = (): boolean =>
    node.stateOf(AdministratorCommissioningServer).windowStatus === WindowStatus.EnhancedWindowOpen;
  const sayOpen = (seconds: number): void => {
    const { manualPairingCode, qrPairingCode } = node.state.commissioning.pairingCodes;
    onChange({ manualCode: manualPairingCode, qr: qrPairingCode, seconds }, null);
  };

  const close = async (): Promise<void> => {
    why = 'closed';
    await node.env.get(DeviceCommissioner).endCommissioning();
  };
  const onEnd = (): void => {
    clearTimeout(timer);
    isOpen = false;
    // Matter ends it by itself once a fabric has joined and after twenty wrong codes, and says neither to anybody.
    const hasJoined = fabrics().some((index) => !known.has(index));
    onChange(null, hasJoined && why !== 'no_disk' ? 'joined' : (why ?? 'too_many_codes'));
  };
  return {
    /** Opens it, with codes that were never used before, or gives it more time with the same ones. */
    open: async (seconds: number): Promise<void> => {
      clearTimeout(timer);
      why = undefined;
      known = new Set(fabrics());
      // Matter has a time for it too, and never starts that.
      timer = setTimeout(() => void close(), seconds * 1000);
      if (isOpen) return sayOpen(seconds);
      try {
        await probe();
        const crypto = node.env.get(Crypto);
        const passcode = PaseClient.generateRandomPasscode(crypto);
        const discriminator = PaseClient.generateRandomDiscriminator(crypto);
        await node.set({ commissioning: { passcode, discriminator } });
        await node.env.get(DeviceCommissioner).allowBasicCommissioning(onEnd);
      } catch (cause) {
        clearTimeout(timer);
        if (cause instanceof NotKeptError) return onChange(null, 'no_disk');
        return isOpenElsewhere() ? onChange(null, 'busy') : onChange(null, 'failed', cause);
      }
      isOpen = true;
      sayOpen(seconds);
    },
    close,
    /** Closes it because a home that joins could not be kept. */
    giveUp: async (): Promise<void> => {
      why = 'no_disk';
      await node.env.get(DeviceCommissioner).endCommissioning();
    },
  };
}
