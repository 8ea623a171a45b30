import { useRef, useState } from 'preact/hooks';

type SliderProps = {
  readonly label: string;
  readonly value: number;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  /** The value in words, for screen readers. */
  readonly words: (value: number) => string;
  /** While it is dragged, and once when it is let go. */
  readonly onChange: (value: number, isPassing: boolean) => void;
  readonly isDisabled?: boolean;
  /** `scale`: a track with its own colors and a knob instead of a filled part. */
  readonly kind?: 'level' | 'scale';
  readonly class?: string;
};

const DRAG_PX = 6;

/**
 * A range input for keyboards and screen readers, in a track that is touched anywhere. A finger that only wants to
 * scroll past changes nothing: the value follows it once it moves along the track, or when it is lifted as a tap.
 */
export function Slider(props: SliderProps) {
  const { label, value, min = 0, max = 100, step = 1, words, onChange, isDisabled = false, kind = 'level' } = props;
  const track = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const from = useRef<{ readonly x: number; readonly pointer: number; isDragging: boolean } | null>(null);
  const shown = dragged ?? value;
  const part = max > min ? Math.min(100, Math.max(0, ((shown - min) / (max - min)) * 100)) : 0;

  const valueAt = (x: number): number => {
    const box = track.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return value;
    const raw = min + Math.min(1, Math.max(0, (x - box.left) / box.width)) * (max - min);
    return Math.min(max, Math.max(min, Number((Math.round(raw / step) * step).toFixed(4))));
  };
  const drag = (x: number): void => {
    const next = valueAt(x);
    if (next === dragged) return;
    setDragged(next);
    onChange(next, true);
  };
  const end = (x: number | null): void => {
    from.current = null;
    setDragged(null);
    if (x !== null) onChange(valueAt(x), false);
  };
  return (
    <div
      ref={track}
      class={`slider ${props.class ?? ''}`}
      data-kind={kind}
      data-dragged={dragged !== null}
      data-disabled={isDisabled}
      onPointerDown={(event) => {
        if (isDisabled || event.button !== 0) return;
        const isMouse = event.pointerType === 'mouse';
        from.current = { x: event.clientX, pointer: event.pointerId, isDragging: isMouse };
        track.current?.setPointerCapture(event.pointerId);
        if (isMouse) drag(event.clientX);
      }}
      onPointerMove={(event) => {
        const start = from.current;
        if (start?.pointer !== event.pointerId) return;
        if (Math.abs(event.clientX - start.x) > DRAG_PX) start.isDragging = true;
        if (start.isDragging) drag(event.clientX);
      }}
      onPointerUp={(event) => from.current?.pointer === event.pointerId && end(event.clientX)}
      onPointerCancel={() => from.current !== null && end(null)}
    >
      <div class="slider-fill" style={{ '--at': String(part) }} />
      <input
        type="range"
        min={min}
        max={max}
        step={step}
        value={shown}
        disabled={isDisabled}
        aria-label={label}
        aria-valuetext={words(shown)}
        onInput={({ currentTarget }) => onChange(Number(currentTarget.value), true)}
        onChange={({ currentTarget }) => onChange(Number(currentTarget.value), false)}
      />
    </div>
  );
}
