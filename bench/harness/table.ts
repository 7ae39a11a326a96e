/** One cell: text as it is, a number with three significant digits. */
export type Cell = string | number;

const count = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** A number as people compare it: three significant digits, thousands grouped. */
export const figure = (value: number): string =>
  Math.abs(value) >= 100 ? count.format(value) : String(Number(value.toPrecision(3)));

/**
 * A Markdown table, padded as Prettier pads it: text to the left, columns of figures to the right.
 */
export function table(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = rows.map((row) =>
    row.map((cell) => (typeof cell === 'number' ? figure(cell) : cell)),
  );
  const isFigures = header.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  const widths = header.map((title, column) =>
    Math.max(3, title.length, ...texts.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string => {
    const padded = widths.map((width, column) =>
      pad(cells[column] ?? '', width, isFigures[column] === true),
    );
    return `| ${padded.join(' | ')} |`;
  };
  const rule = widths.map(
    (width, column) => `${'-'.repeat(width - 1)}${isFigures[column] === true ? ':' : '-'}`,
  );
  return [line(header), line(rule), ...texts.map(line)].join('\n');
}

const pad = (text: string, width: number, isFigure: boolean): string =>
  isFigure ? text.padStart(width) : text.padEnd(width);
