/** Where the command writes: results to stdout, everything else to stderr. */
export type Output = {
  readonly isJson: boolean;
  /** Where a progress bar is seen; null if nowhere. */
  readonly terminal: NodeJS.WriteStream | null;
  /** A result: a line of JSON with `--json`, else the text. A text of null prints nothing. */
  readonly result: (value: object, text: string | null) => void;
  readonly note: (text: string) => void;
  /** The text of a file, as it is. */
  readonly file: (text: string) => void;
};

type Sink = { readonly write: (text: string) => unknown };

/** No control character of a text from elsewhere reaches the terminal. */
const printable = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are what it removes
  text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ');

export const createOutput = (
  stdout: Sink,
  stderr: NodeJS.WriteStream,
  isJson: boolean,
): Output => ({
  isJson,
  terminal: stderr.isTTY && !isJson ? stderr : null,
  result: (value, text) => {
    if (isJson) stdout.write(`${JSON.stringify(value)}\n`);
    else if (text !== null) stdout.write(`${printable(text)}\n`);
  },
  note: (text) => stderr.write(`${printable(text)}\n`),
  file: (text) => stdout.write(text),
});

/** Rows below a header, in aligned columns. */
export function tableOf(
  header: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const lines = [header, ...rows].map((cells) => cells.map((cell) => String(cell ?? '')));
  const widths = header.map((_, column) =>
    Math.max(...lines.map((cells) => cells[column]?.length ?? 0)),
  );
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
