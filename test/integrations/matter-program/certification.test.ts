import { X509Certificate } from 'node:crypto';
import { Crypto, Environment, VendorId } from '@matter/main';
import { TestCert_PAA_NoVID_Cert } from '@matter/main/protocol';
import { afterEach, expect, test, vi } from 'vitest';
import { createCertification } from '#integrations/matter-program/bridge/certification.ts';

afterEach(() => void vi.useRealTimers());

/** Certificates that the library dated by such clocks were refused: by the first three, because the root is younger. */
test.each(['1970-01-01', '2000-01-01', '2019-06-01', '2026-11-23', '2049-12-31', '2106-02-07'])(
  'what the bridge shows to a home is valid now, also if it was made when the clock said %s',
  async (day) => {
    vi.useFakeTimers({ now: Date.parse(day), toFake: ['Date'] });
    const crypto = Environment.default.get(Crypto);
    const made = await createCertification(crypto, { vendorId: VendorId(0xfff1), productId: 0x8000 });
    const [dac, pai, root] = [made.certificate, made.intermediateCertificate, TestCert_PAA_NoVID_Cert].map(
      (der) => new X509Certificate(Buffer.from(der as Uint8Array)),
    );
    if (dac === undefined || pai === undefined || root === undefined) throw new Error('three are needed');
    expect([dac.verify(pai.publicKey), pai.verify(root.publicKey)]).toEqual([true, true]);
    expect([dac.issuer, pai.issuer]).toEqual([pai.subject, root.subject]);
    for (const { validFrom, validTo } of [dac, pai]) {
      expect([validFrom, validTo]).toEqual(['Jan  1 00:00:00 2022 GMT', 'Dec 31 23:59:59 9999 GMT']);
      expect(Date.parse(validFrom)).toBeGreaterThan(Date.parse(root.validFrom));
    }
  },
);
