import { Bytes, type Crypto, PrivateKey, type VendorId } from '@matter/main';
import {
  CertificationDeclaration,
  Dac,
  type DeviceCertification,
  Pai,
  TestCert_PAA_NoVID_PrivateKey,
  TestCert_PAA_NoVID_PublicKey,
  TestCert_PAA_NoVID_SKID,
} from '@matter/main/protocol';

type Product = { readonly vendorId: VendorId; readonly productId: number };

const ROOT_NAME = 'Matter Test PAA';
/** The clock of this machine may be years slow, and a controller refuses what is older than the root (June 2021). */
const VALID = {
  /** 2022-01-01, in seconds since 2000. */
  notBefore: 694_310_400,
  /** In Matter: for ever. */
  notAfter: 0,
};
const SIGNED = { signatureAlgorithm: 1, publicKeyAlgorithm: 1, ellipticCurveIdentifier: 1, ...VALID };

/**
 * Makes the certificates that the bridge shows to a home that joins, by the alliance's root for tests, as the library
 * has it but for its dates.
 */
export async function createCertification(
  crypto: Crypto,
  { vendorId, productId }: Product,
): Promise<DeviceCertification.Configuration> {
  const root = PrivateKey(TestCert_PAA_NoVID_PrivateKey, { publicKey: TestCert_PAA_NoVID_PublicKey });
  const [makerKey, ownKey] = [await crypto.createKeyPair(), await crypto.createKeyPair()];
  const idOf = async ({ publicKey }: PrivateKey): Promise<Uint8Array> =>
    Bytes.of(await crypto.computeHash(publicKey, 'SHA-1'));
  const [makerId, ownId] = [await idOf(makerKey), await idOf(ownKey)];
  const maker = { commonName: 'hearthd PAI', vendorId };
  const pai = new Pai({
    ...SIGNED,
    serialNumber: Uint8Array.of(1),
    issuer: { commonName: ROOT_NAME },
    subject: maker,
    ellipticCurvePublicKey: makerKey.publicKey,
    extensions: {
      basicConstraints: { isCa: true, pathLen: 0 },
      keyUsage: { keyCertSign: true, cRLSign: true },
      subjectKeyIdentifier: makerId,
      authorityKeyIdentifier: TestCert_PAA_NoVID_SKID,
    },
  });
  await pai.sign(crypto, root);
  const dac = new Dac({
    ...SIGNED,
    serialNumber: Uint8Array.of(2),
    issuer: maker,
    subject: { commonName: 'hearthd', vendorId, productId },
    ellipticCurvePublicKey: ownKey.publicKey,
    extensions: {
      basicConstraints: { isCa: false },
      keyUsage: { digitalSignature: true },
      subjectKeyIdentifier: ownId,
      authorityKeyIdentifier: makerId,
    },
  });
  await dac.sign(crypto, makerKey);
  return {
    privateKey: PrivateKey(ownKey.privateKey),
    certificate: dac.asSignedDer(),
    intermediateCertificate: pai.asSignedDer(),
    declaration: await CertificationDeclaration.generate(crypto, vendorId, productId),
  };
}
