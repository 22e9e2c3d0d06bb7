import { toSvgPath } from 'lean-qr/extras/svg';
import { generate } from 'lean-qr/nano';

const QUIET_MODULES = 4;

/** Black on white in every theme, with the quiet zone that scanners need. Large enough to be loaded lazily. */
export function QrCode({ text, label, className = '' }: { text: string; label: string; className?: string }) {
  const code = generate(text);
  const size = code.size + 2 * QUIET_MODULES;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-QUIET_MODULES} ${-QUIET_MODULES} ${size} ${size}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <rect x={-QUIET_MODULES} y={-QUIET_MODULES} width={size} height={size} fill="#fff" />
      <path d={toSvgPath(code)} fill="#000" />
    </svg>
  );
}
