import { encode } from 'uqr';

/** Scanners need as many light modules around the code. */
const QUIET = 4;

export type QrPath = {
  /** Width and height in modules, with the light ones around the code. */
  readonly side: number;
  /** All dark modules, as the path of an SVG. */
  readonly path: string;
};

/** The QR code of a text. Each line of the path is one run of dark modules: between modules there is no seam. */
export function qrPath(text: string): QrPath {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const runs: string[] = [];
  for (const [y, row] of data.entries()) {
    let start: number | undefined;
    // One module more than the row has ends its last run.
    for (let x = 0; x <= size; x += 1) {
      const isDark = row[x] === true;
      if (isDark) start ??= x;
      else if (start !== undefined) {
        runs.push(`M${start + QUIET} ${y + QUIET}h${x - start}v1h${start - x}z`);
        start = undefined;
      }
    }
  }
  return { side: size + 2 * QUIET, path: runs.join('') };
}
