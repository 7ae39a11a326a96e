/** Where the command writes: results to stdout, everything else to stderr. */
export type Output = {
  readonly isJson: boolean;
  /** Where a progress bar is seen; null if nowhere. */
  readonly terminal: NodeJS.WriteStream | null;
  /** A result: a line of JSON with `--json`, else the text. A text of null prints nothing. */
  readonly result: (value: object, text: string | null) => void;
  readonly note: (text: string) => void;
  /** A failure of the command, as a line of JSON. */
  readonly error: (value: object) => void;
  /** The text of a file: as it is, unless a terminal shows it. */
  readonly file: (text: string) => void;
};

type Sink = { readonly write: (text: string) => unknown };

const escapeOf = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * A text from elsewhere without what would command the terminal or hide a part of the line: control
 * characters, and those that change the direction of a text. They are shown as JSON writes them.
 */
const printable = (text: string): string =>
  text.replaceAll(
    // oxlint-disable-next-line no-control-regex -- these are what it escapes
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    escapeOf,
  );

/** A text from elsewhere within a line: it cannot begin a line that looks like another result. */
export const inLine = (text: string): string => text.replaceAll('\n', '\\n');

/** A line of JSON. Readers get the same value; the escapes keep terminals as they are. */
const jsonLine = (value: unknown): string => `${printable(JSON.stringify(value))}\n`;

export const createOutput = (
  stdout: Sink,
  stderr: NodeJS.WriteStream,
  isJson: boolean,
): Output => ({
  isJson,
  terminal: stderr.isTTY && !isJson ? stderr : null,
  result: (value, text) => {
    if (isJson) stdout.write(jsonLine(value));
    else if (text !== null) stdout.write(`${printable(text)}\n`);
  },
  note: (text) => stderr.write(`${printable(text)}\n`),
  error: (value) => stderr.write(jsonLine(value)),
  file: (text) => stdout.write(isTerminal(stdout) ? printable(text.replaceAll('\r', '')) : text),
});

const isTerminal = (sink: Sink): boolean => 'isTTY' in sink && sink.isTTY === true;

/** Rows below a header, in aligned columns. */
export function tableOf(
  header: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const lines = [header, ...rows].map((cells) => cells.map((cell) => inLine(String(cell ?? ''))));
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
