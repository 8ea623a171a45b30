import { Crypto, type ServerNode } from '@matter/main';
import { DeviceCommissioner, PaseClient } from '@matter/main/protocol';
import type { PairingCodes, WindowEnd } from '#integrations/matter-bridge/node-message.ts';

/** The time in which another home may take the bridge in. */
export type PairingWindow = {
  /** Opens it, with codes that were never used before, or gives it more time with the same ones. */
  readonly open: (seconds: number) => Promise<void>;
  readonly close: () => Promise<void>;
  /** A fabric has joined: Matter closes the window by itself. */
  readonly noteJoined: () => void;
};

export type PairingWindowDeps = {
  readonly node: ServerNode;
  readonly onChange: (codes: PairingCodes | null, why: WindowEnd | null) => void;
};

export function createPairingWindow({ node, onChange }: PairingWindowDeps): PairingWindow {
  let timer: NodeJS.Timeout | undefined;
  let why: WindowEnd | undefined;
  let hasJoined = false;
  let isOpen = false;
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
    // Matter ends it after twenty wrong codes, and says so to nobody.
    onChange(null, hasJoined ? 'joined' : (why ?? 'too_many_codes'));
    why = undefined;
    hasJoined = false;
  };
  return {
    open: async (seconds) => {
      clearTimeout(timer);
      // Matter has a time for it too, and never starts that.
      timer = setTimeout(() => void close(), seconds * 1000);
      if (isOpen) return sayOpen(seconds);
      try {
        const crypto = node.env.get(Crypto);
        const passcode = PaseClient.generateRandomPasscode(crypto);
        const discriminator = PaseClient.generateRandomDiscriminator(crypto);
        await node.set({ commissioning: { passcode, discriminator } });
        await node.env.get(DeviceCommissioner).allowBasicCommissioning(onEnd);
      } catch (cause) {
        clearTimeout(timer);
        // A controller has a window of its own open, for another controller.
        onChange(null, 'busy');
        throw cause;
      }
      isOpen = true;
      sayOpen(seconds);
    },
    close,
    noteJoined: () => {
      hasJoined = true;
    },
  };
}
