import type { Texts } from '../texts/texts.ts';
import { html, type Html } from './html.ts';

type Plot<T> = {
  readonly title: string;
  readonly points: readonly T[];
  readonly label: (point: T) => string;
  /** One or two kinds of figures, one above the other. */
  readonly series: readonly (readonly [name: string, value: (point: T) => number])[];
  /** The text has the latest figures. Default: their sums. */
  readonly isLevel?: boolean;
};

/** Figures over time as bars. A text has the main figures, and a table all of them. */
export function plot<T>(
  { title, points, label, series, isLevel }: Plot<T>,
  { plots }: Texts,
): Html {
  const rows = points.map((point) => series.map(([, value]) => value(point)));
  const highest = Math.max(0, ...rows.map(sum));
  const figures = series.map(([name], kind) => {
    const values = rows.map((row) => row[kind] ?? 0);
    return [name, isLevel === true ? (values.at(-1) ?? 0) : sum(values)] as const;
  });
  // A bar reaches over those before it, so that the later kinds come first.
  const bars = (row: readonly number[], at: number) =>
    row.map((_, kind) => {
      const height = Math.max(0, sum(row.slice(0, kind + 1)) / Math.max(1, highest)) * 100;
      const [x, y] = [at * 10 + 1, 100 - height];
      return html`<rect class="kind${kind}" x="${x}" y="${y}" width="8" height="${height}" />`;
    });
  const names = points.map(label);
  return html`<figure class="card plot">
    <figcaption>
      <h2>${title}</h2>
      ${figures.map(
        ([name, figure], kind) =>
          html`<span><i class="kind${kind}"></i> <b>${figure}</b> ${name}</span>`,
      )}
    </figcaption>
    <svg
      viewBox="0 0 ${points.length * 10} 100"
      preserveAspectRatio="none"
      role="img"
      aria-label="${title}: ${figures.map(([name, figure]) => `${figure} ${name}`).join(', ')}"
    >
      ${rows.map((row, at) => bars(row, at).toReversed())}
    </svg>
    <div class="axis muted">
      <span>${names[0]}</span><span>${plots.highest(highest)}</span><span>${names.at(-1)}</span>
    </div>
    <details class="scroll">
      <summary class="muted">${plots.figures}</summary>
      <table>
        <tr>
          <td></td>
          ${series.map(([name]) => html`<th class="num" scope="col">${name}</th>`)}
        </tr>
        ${rows.map(
          (row, at) =>
            html`<tr>
              <th scope="row">${names[at]}</th>
              ${row.map((value) => html`<td class="num">${value}</td>`)}
            </tr>`,
        )}
      </table>
    </details>
  </figure>`;
}

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);
