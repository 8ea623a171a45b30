import { Bytes, Crypto, Environment, FabricId, NodeId, StandardCrypto } from '@matter/main';
import { CertificateAuthority, Noc, Rcac } from '@matter/main/protocol';
import { afterEach, expect, test, vi } from 'vitest';
import { installAuthority } from '#integrations/matter-program/controller/home-authority.ts';
import { createNodeStore } from '#integrations/matter-program/process/node-store.ts';

const OPTIONS = {};
/** 2020, before any device; and for ever. */
const VALID = { notBefore: 631_152_000, notAfter: 0 };

async function openAuthority(kept: string | null = null) {
  const file = { text: kept };
  const store = createNodeStore(kept, async (text) => void (file.text = text), OPTIONS);
  const env = new Environment('test');
  env.set(Crypto, new StandardCrypto());
  await installAuthority(env, store);
  await store.flush();
  const authority = env.get(CertificateAuthority);
  const certify = async (): Promise<Noc> => {
    const { publicKey } = await env.get(Crypto).createKeyPair();
    return Noc.fromTlv(await authority.generateNoc(publicKey, FabricId(1), NodeId(7)));
  };
  return { file, authority, certify, crypto: env.get(Crypto) };
}

afterEach(() => vi.useRealTimers());

test.each(['1970-01-01T00:00:10Z', '1999-12-31T00:00:00Z', '2026-11-23T00:00:00Z', '2107-01-01T00:00:00Z'])(
  'the certificates of a home that began at %s hold in every year',
  async (now) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
    const { authority, certify, crypto } = await openAuthority();
    const root = Rcac.fromTlv(authority.rootCert);
    const noc = await certify();
    expect(root.cert).toMatchObject(VALID);
    expect(noc.cert).toMatchObject({ ...VALID, subject: { fabricId: 1n, nodeId: 7n } });
    await root.verify(crypto);
    await noc.verify(crypto, root);
    expect(noc.cert.serialNumber).not.toEqual((await certify()).cert.serialNumber);
  },
);

test('a home that was kept goes on with its root, whatever the clock says by then', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('1970-01-01T00:00:10Z') });
  const before = await openAuthority();
  vi.setSystemTime(new Date('2026-11-23T00:00:00Z'));
  const after = await openAuthority(before.file.text);
  expect(Bytes.toHex(after.authority.rootCert)).toBe(Bytes.toHex(before.authority.rootCert));
  await (await after.certify()).verify(after.crypto, Rcac.fromTlv(before.authority.rootCert));
});

test('a root is not signed for that the disk does not take', async () => {
  const store = createNodeStore(null, () => Promise.reject(new Error('ENOSPC')), OPTIONS);
  const env = new Environment('test');
  env.set(Crypto, new StandardCrypto());
  await expect(installAuthority(env, store)).rejects.toThrow('ENOSPC');
});
