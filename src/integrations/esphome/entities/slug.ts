const MAX_LENGTH = 40;

/** A name as a part of a feature's key: small Latin letters, digits and `_`. */
export function slugOf(name: string, otherwise: string): string {
  const plain = name
    .slice(0, MAX_LENGTH * 2)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, MAX_LENGTH)
    .replaceAll(/^_+|_+$/g, '');
  return plain === '' || /^\d/.test(plain) ? otherwise : plain;
}
