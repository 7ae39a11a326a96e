import type { MemorySample } from './memory.ts';

/** A picture of memory over requests, as an SVG of its own: no library, readable on light and on dark. */

const [width, height] = [760, 380];
const plot = { left: 60, right: 715, top: 40, bottom: 320 };

export type Line = {
  readonly name: string;
  readonly colour: string;
  readonly isDashed: boolean;
  /** `[requests, MiB]`. */
  readonly points: readonly (readonly [number, number])[];
};

export const lineOf = (
  name: string,
  samples: readonly MemorySample[],
  kind: 'rss' | 'live',
  style: { readonly colour: string; readonly isDashed: boolean },
): Line => ({
  name,
  ...style,
  points: samples.map((sample) => [sample.requests, sample[kind] / 2 ** 20]),
});

const text = (x: number, y: number, anchor: string, value: string): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}">${value}</text>`;

/** Steps of 1, 2 or 5 times a power of ten, about five of them. */
function stepOf(max: number): number {
  const power = 10 ** Math.floor(Math.log10(max / 5));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => max / step <= 6) ?? power;
}

const ticks = (max: number): readonly number[] => {
  const step = stepOf(max);
  return Array.from({ length: Math.floor(max / step) + 1 }, (_, index) => index * step);
};

export function memoryPlot(title: string, lines: readonly Line[]): string {
  const all = lines.flatMap(({ points }) => points);
  const [maxX, maxY] = [Math.max(...all.map(([x]) => x)), Math.max(...all.map(([, y]) => y)) * 1.1];
  const x = (value: number): number =>
    Math.round(plot.left + (value / maxX) * (plot.right - plot.left));
  const y = (value: number): number =>
    Math.round(plot.bottom - (value / maxY) * (plot.bottom - plot.top));
  const grid = [
    ...ticks(maxY).map(
      (value) => `<path class="grid" d="M${plot.left} ${y(value)}H${plot.right}"/>`,
    ),
    ...ticks(maxY).map((value) => text(plot.left - 8, y(value) + 4, 'end', String(value))),
    ...ticks(maxX).map((value) =>
      text(x(value), plot.bottom + 20, 'middle', value.toLocaleString('en')),
    ),
    text(plot.left - 8, plot.top - 10, 'end', 'MiB'),
    text(plot.right, plot.bottom + 38, 'end', 'requests'),
    text(plot.left, 18, 'start', title),
  ];
  const drawn = lines.flatMap(({ colour, isDashed, name, points }, index) => {
    const dash = isDashed ? ' stroke-dasharray="5 4"' : '';
    const path = points.map(([px, py]) => `${x(px)} ${y(py)}`).join('L');
    const at = plot.left + index * 170;
    return [
      `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"${dash}/>`,
      `<path d="M${at} ${height - 12}h24" stroke="${colour}" stroke-width="2"${dash}/>`,
      text(at + 30, height - 8, 'start', name),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    '<style>text{fill:#888}.grid{stroke:#888;stroke-opacity:.25}</style>',
    ...grid,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}
