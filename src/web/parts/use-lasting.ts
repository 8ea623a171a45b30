import { useEffect, useState } from 'preact/hooks';

/** True once something has been so for longer than a while. */
export function useLasting(isSo: boolean, ms: number): boolean {
  const [isLasting, setIsLasting] = useState(false);
  useEffect(() => {
    setIsLasting(false);
    if (!isSo) return undefined;
    const timer = setTimeout(() => setIsLasting(true), ms);
    return () => clearTimeout(timer);
  }, [isSo, ms]);
  return isSo && isLasting;
}
