import { Bytes, Crypto, type Environment, type FabricId, type NodeId, PrivateKey } from '@matter/main';
import { CertificateAuthority, Noc, Rcac } from '@matter/main/protocol';
import type { NodeStore } from '#integrations/matter-program/process/node-store.ts';

const CONTEXT = ['authority'];
/** 2020, in seconds since 2000: before the first Matter device was made, so that no clock of one is behind it. */
const FROM = 631_152_000;
/** In a certificate: without an end. */
const NO_END = 0;
const ROOT_ID = 0n;
/** ECDSA with SHA-256, on an elliptic curve, P-256: the only ones of the standard. */
const KIND = { signatureAlgorithm: 1, publicKeyAlgorithm: 1, ellipticCurveIdentifier: 1 } as const;
const SERVER_AND_CLIENT = [2, 1];

type Configuration = CertificateAuthority.ConfigurationWithoutIcac;

/**
 * Signs the certificates of this home. The library dates them by the clock, from a year ago to ten years ahead: with a
 * clock that is not set it fails or makes some that every device refuses, and after ten years the home would end.
 */
class HomeAuthority extends CertificateAuthority {
  readonly #configuration: Configuration;

  constructor(crypto: Crypto, configuration: Configuration) {
    super(crypto, configuration);
    this.#configuration = configuration;
  }

  /** No device of this home has a tag. */
  override async generateNoc(publicKey: Bytes, fabricId: FabricId, nodeId: NodeId): Promise<Bytes> {
    const noc = new Noc({
      ...KIND,
      // Random, so that no number needs to be kept: positive, and never the root's.
      serialNumber: serialFrom(this.crypto),
      issuer: { rcacId: ROOT_ID },
      notBefore: FROM,
      notAfter: NO_END,
      subject: { fabricId, nodeId },
      ellipticCurvePublicKey: publicKey,
      extensions: {
        basicConstraints: { isCa: false },
        keyUsage: { digitalSignature: true },
        extendedKeyUsage: SERVER_AND_CLIENT,
        subjectKeyIdentifier: await hashOf(this.crypto, publicKey),
        authorityKeyIdentifier: this.#configuration.rootKeyIdentifier,
      },
    });
    await noc.sign(this.crypto, PrivateKey(this.#configuration.rootKeyPair));
    return noc.asSignedTlv();
  }
}

/** That of this home, which signs for the node of this environment. A new one is on disk once resolved. */
export async function installAuthority(env: Environment, { driver }: Pick<NodeStore, 'driver'>): Promise<void> {
  const crypto = env.get(Crypto);
  const values = (await driver.values(CONTEXT)) as Partial<Configuration>;
  const kept = values.rootCertBytes === undefined ? await newAuthority(crypto) : (values as Configuration);
  if (kept !== values) await driver.set(CONTEXT, { ...kept });
  const authority = new HomeAuthority(crypto, kept);
  await authority.construction;
  env.set(CertificateAuthority, authority);
}

async function newAuthority(crypto: Crypto): Promise<Configuration> {
  const key = await crypto.createKeyPair();
  const rootKeyIdentifier = await hashOf(crypto, key.publicKey);
  const root = new Rcac({
    ...KIND,
    serialNumber: serialFrom(crypto),
    issuer: { rcacId: ROOT_ID },
    notBefore: FROM,
    notAfter: NO_END,
    subject: { rcacId: ROOT_ID },
    ellipticCurvePublicKey: key.publicKey,
    extensions: {
      basicConstraints: { isCa: true },
      keyUsage: { keyCertSign: true, cRLSign: true },
      subjectKeyIdentifier: rootKeyIdentifier,
      authorityKeyIdentifier: rootKeyIdentifier,
    },
  });
  await root.sign(crypto, key);
  return {
    rootCertId: ROOT_ID,
    rootKeyPair: key.keyPair,
    rootKeyIdentifier,
    rootCertBytes: root.asSignedTlv(),
    nextCertificateId: 1n,
  };
}

async function hashOf(crypto: Crypto, publicKey: Bytes): Promise<Bytes> {
  return Bytes.of(await crypto.computeHash(publicKey, 'SHA-1'));
}

function serialFrom(crypto: Crypto): Bytes {
  const serial = Bytes.of(crypto.randomBytes(8));
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return serial;
}
