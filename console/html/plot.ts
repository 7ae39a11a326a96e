import type { Texts } from '../texts/texts.ts';
import { html, type Html } from './html.ts';

type Values = readonly (number | null)[];
/**
 * A kind of figures, one for each point of time, or null. Its text has their sum, unless it is
 * given.
 */
type Series = readonly [name: string, values: Values, figure?: string | number | null | undefined];

/**
 * Figures over time as bars. A text has the main figures, and a table all of them. Each point is a
 * radio button: a pointer or the arrow keys show its figures, also without JavaScript. The bars of
 * a point stand on each other, or each on the ground.
 */
export function plot(
  { highest, figures }: Texts['plots'],
  [id, title]: readonly [id: string, title: string],
  points: readonly string[],
  series: readonly Series[],
  isStacked = true,
): Html {
  const rows = points.map((_, at) => series.map(([, values]) => values[at] ?? null));
  const heightTo = (row: Values, kind: number): number =>
    isStacked ? sum(row.slice(0, kind + 1)) : (row[kind] ?? 0);
  const most = Math.max(0, ...rows.flatMap((row) => row.map((_, kind) => heightTo(row, kind))));
  const main = series.map(([name, values, figure = sum(values)]) => [name, figure ?? '–'] as const);
  // A bar reaches over those before it, so that the later kinds come first.
  const bars = (row: Values, at: number) =>
    row.map((_, kind) => {
      const height = Math.max(0, heightTo(row, kind) / Math.max(1, most)) * 100;
      const [x, y] = [at * 10 + 1, 100 - height];
      return html`<rect class="kind${kind}" x="${x}" y="${y}" width="8" height="${height}" />`;
    });
  // The only figure of a point needs no name.
  const names = series.length > 1 ? series.map(([name]) => ` ${name}`) : [''];
  const input = html`<input type="radio" name="${id}" />`;
  const choices = rows.map((row, at) => {
    const all = names.map((name, kind) => `${row[kind] ?? '–'}${name}`).join(', ');
    return html`<label>${input}<span>${points[at]}: ${all}</span></label>`;
  });
  // On one line, because a page has a hundred rows.
  // prettier-ignore
  const rowOf = (row: Values, at: number) => {
    const cells = row.map((value) => html`<td>${value ?? '–'}</td>`);
    return html`<tr><th scope="row">${points[at]}</th>${cells}</tr>`;
  };
  return html`<figure class="card plot">
    <figcaption>
      <h2>${title}</h2>
      ${main.map(
        ([name, figure], kind) =>
          html`<span><i class="kind${kind}"></i> <b>${figure}</b> ${name}</span>`,
      )}
    </figcaption>
    <div class="bars">
      <svg viewBox="0 0 ${points.length * 10} 100" preserveAspectRatio="none" aria-hidden="true">
        ${rows.map((row, at) => sum(row) > 0 && bars(row, at).toReversed())}
      </svg>
      <div class="points" role="radiogroup" aria-label="${title}">${choices}</div>
    </div>
    <div class="axis muted">
      <span>${points[0]}</span><span>${highest(most)}</span><span>${points.at(-1)}</span>
    </div>
    <details class="scroll">
      <summary class="muted">${figures}</summary>
      <table>
        <tr>
          <td></td>
          ${series.map(([name]) => html`<th class="num" scope="col">${name}</th>`)}
        </tr>
        ${rows.map(rowOf)}
      </table>
    </details>
  </figure>`;
}

const sum = (values: Values): number => values.reduce<number>((all, each) => all + (each ?? 0), 0);
