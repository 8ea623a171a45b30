import { Loaded } from '#web/parts/loaded.tsx';
import type { QrPath } from './qr-path.ts';

const loadPath = () => import('./qr-path.ts');
const NOTHING: QrPath = { side: 1, path: '' };

type Props = {
  readonly text: string;
  readonly label: string;
  /** Height in pixels. */
  readonly size: number;
};

/** A text as a QR code. Until its code is loaded it keeps the place white. */
export function QrCode({ text, label, size }: Props) {
  return (
    <Loaded load={loadPath} waiting={<Drawn of={NOTHING} label={label} size={size} />}>
      {({ qrPath }) => <Drawn of={qrPath(text)} label={label} size={size} />}
    </Loaded>
  );
}

/** Dark on white with any colors of the page: many scanners read nothing else. */
function Drawn({ of: { side, path }, label, size }: { readonly of: QrPath } & Omit<Props, 'text'>) {
  return (
    <svg
      role="img"
      aria-label={label}
      width="100%"
      height={size}
      viewBox={`0 0 ${side} ${side}`}
      shape-rendering="crispEdges"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
