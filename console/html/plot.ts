import type { Texts } from '../texts/texts.ts';
import { html, type Html } from './html.ts';

type Values = readonly (number | null)[];
/**
 * A kind of figures, one for each point of time, or null. Its text has their sum, unless it is
 * given.
 */
type Series = readonly [name: string, values: Values, figure?: string | number | null | undefined];

/**
 * Figures over time as bars, each with its figures for a pointer. A text has the main figures, and a
 * table all of them. The bars of a point stand on each other, or each on the ground.
 */
export function plot(
  { highest, figures }: Texts['plots'],
  title: string,
  names: readonly string[],
  series: readonly Series[],
  isStacked = true,
): Html {
  const rows = names.map((_, at) => series.map(([, values]) => values[at] ?? null));
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
  return html`<figure class="card plot">
    <figcaption>
      <h2>${title}</h2>
      ${main.map(
        ([name, figure], kind) =>
          html`<span><i class="kind${kind}"></i> <b>${figure}</b> ${name}</span>`,
      )}
    </figcaption>
    <svg
      viewBox="0 0 ${names.length * 10} 100"
      preserveAspectRatio="none"
      role="img"
      aria-label="${title}: ${main.map(([name, figure]) => `${figure} ${name}`).join(', ')}"
    >
      ${rows.map((row, at) => {
        if (sum(row) === 0) return null;
        const figuresOf = series.map(([name], kind) => `${row[kind] ?? '–'} ${name}`).join(', ');
        return html`<g
          ><title>${`${names[at]}: ${figuresOf}`}</title>${bars(row, at).toReversed()}</g
        >`;
      })}
    </svg>
    <div class="axis muted">
      <span>${names[0]}</span><span>${highest(most)}</span><span>${names.at(-1)}</span>
    </div>
    <details class="scroll">
      <summary class="muted">${figures}</summary>
      <table>
        <tr>
          <td></td>
          ${series.map(([name]) => html`<th class="num" scope="col">${name}</th>`)}
        </tr>
        ${rows.map(
          (row, at) =>
            html`<tr>
              <th scope="row">${names[at]}</th>
              ${row.map((value) => html`<td class="num">${value ?? '–'}</td>`)}
            </tr>`,
        )}
      </table>
    </details>
  </figure>`;
}

const sum = (values: Values): number => values.reduce<number>((all, each) => all + (each ?? 0), 0);
