/** A line of a {@link Panel}; a limit is drawn dashed, without markers. */
export type Series = {
  readonly name: string;
  readonly color: string;
  readonly isLimit?: boolean;
  readonly points: readonly (readonly [x: number, y: number])[];
};

/** One diagram with logarithmic axes. */
export type Panel = {
  readonly title: string;
  readonly xTitle: string;
  readonly series: readonly Series[];
};

const width = 420;
const height = 300;
const margin = { left: 52, right: 16, top: 36, bottom: 44 };
const legendHeight = 34;

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const label = (x: number, y: number, anchor: 'start' | 'middle' | 'end', content: string): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${escape(content)}</text>`;

/** A logarithmic scale from the values to pixels. */
function scaleOf(from: number, to: number, start: number, end: number): (value: number) => number {
  const [low, high] = [Math.log(from), Math.log(to)];
  return (value) => start + ((Math.log(value) - low) / (high - low)) * (end - start);
}

/** The values 1, 2 and 5 of each power of ten that enclose all of them. */
function ticksOf(values: readonly number[]): readonly number[] {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const powers = Array.from({ length: 13 }, (_, index) => 10 ** (index - 6));
  const all = powers.flatMap((power) => [power, 2 * power, 5 * power]);
  const first = all.findLastIndex((tick) => tick <= min);
  const last = all.findIndex((tick) => tick >= max);
  return all.slice(first, Math.max(last, first + 1) + 1);
}

const tickText = (value: number): string => String(Number(value.toPrecision(3)));

function drawSeries(
  { color, isLimit = false, points }: Series,
  x: (value: number) => number,
  y: (value: number) => number,
): string {
  const pixels = points.map((point) => [x(point[0]).toFixed(1), y(point[1]).toFixed(1)] as const);
  const path = pixels.map((pixel) => pixel.join(',')).join(' ');
  const line =
    `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"` +
    `${isLimit ? ' stroke-dasharray="5 4"' : ''}/>`;
  const markers = isLimit
    ? []
    : pixels.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3.5" fill="${color}"/>`);
  return [line, ...markers].join('\n');
}

function drawPanel({ title, xTitle, series }: Panel, left: number): string {
  const points = series.flatMap((one) => one.points);
  const xs = [...new Set(points.map(([value]) => value))];
  const yTicks = ticksOf(points.map(([, value]) => value));
  const [xFrom, xTo] = [margin.left, width - margin.right];
  const [yFrom, yTo] = [height - margin.bottom, margin.top];
  // Some space beside the first and the last rate.
  const x = scaleOf(Math.min(...xs) / 1.2, Math.max(...xs) * 1.2, xFrom, xTo);
  const y = scaleOf(yTicks[0] ?? 1, yTicks.at(-1) ?? 10, yFrom, yTo);
  const grid = yTicks.map(
    (tick) =>
      `<line x1="${xFrom}" x2="${xTo}" y1="${y(tick).toFixed(1)}" y2="${y(tick).toFixed(1)}" ` +
      `stroke="#ddd"/>${label(xFrom - 6, y(tick) + 4, 'end', tickText(tick))}`,
  );
  return [
    `<g transform="translate(${left} 0)">`,
    `<g font-weight="bold">${label(xFrom, 20, 'start', title)}</g>`,
    ...grid,
    ...xs.map((value) => label(x(value), yFrom + 18, 'middle', tickText(value))),
    label((xFrom + xTo) / 2, height - 8, 'middle', xTitle),
    ...series.map((one) => drawSeries(one, x, y)),
    '</g>',
  ].join('\n');
}

/** One entry for each name, below the panels. */
function drawLegend(panels: readonly Panel[]): string {
  const series = [
    ...new Map(panels.flatMap((panel) => panel.series.map((s) => [s.name, s]))).values(),
  ];
  const entries = series.map(({ name, color, isLimit = false }, index) => {
    const left = margin.left + index * 150;
    const y = height + 14;
    const dash = isLimit ? ' stroke-dasharray="5 4"' : '';
    const line = `<line x1="${left}" x2="${left + 26}" y1="${y}" y2="${y}" stroke="${color}"`;
    return `${line} stroke-width="2"${dash}/>${label(left + 32, y + 4, 'start', name)}`;
  });
  return entries.join('\n');
}

/** Draws panels side by side as an SVG document, on white so that it is readable everywhere. */
export function plot(panels: readonly Panel[]): string {
  const [fullWidth, fullHeight] = [width * panels.length, height + legendHeight];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${fullWidth}" height="${fullHeight}" ` +
      `viewBox="0 0 ${fullWidth} ${fullHeight}" font-family="sans-serif" font-size="12">`,
    `<rect width="${fullWidth}" height="${fullHeight}" fill="#fff"/>`,
    ...panels.map((panel, index) => drawPanel(panel, index * width)),
    drawLegend(panels),
    '</svg>',
    '',
  ].join('\n');
}
