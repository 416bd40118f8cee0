import type { EndShape } from './life-geometry'

/** The mark for how a call ended, centred at (x, y). Its colour comes from `color` of what is around. */
export function EndShapeMark({ x, y, size, shape }: { x: number; y: number; size: number; shape: EndShape }) {
  const half = size / 2
  switch (shape) {
    case 'square':
      return <rect x={x - half} y={y - half} width={size} height={size} rx={1.5} fill="currentColor" />
    case 'hollow':
      return (
        <rect
          x={x - half + 0.75}
          y={y - half + 0.75}
          width={size - 1.5}
          height={size - 1.5}
          rx={1.5}
          fill="var(--bg)"
          stroke="currentColor"
          strokeWidth={1.5}
        />
      )
    case 'diamond':
      return (
        <path
          d={`M${x - half - 1} ${y}l${half + 1} ${-half - 1} ${half + 1} ${half + 1} ${-half - 1} ${half + 1}z`}
          fill="currentColor"
        />
      )
    case 'cross':
      return (
        <path
          d={`M${x - half} ${y - half}l${size} ${size}m0 ${-size}l${-size} ${size}`}
          stroke="currentColor"
          strokeWidth={1.8}
          strokeLinecap="round"
          fill="none"
        />
      )
  }
}
