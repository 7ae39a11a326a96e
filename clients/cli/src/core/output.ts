import type { GuardedStream } from './guarded-stream.ts';

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

/** Where the command writes: results to stdout, everything else to stderr. */
export function createOutput(stdout: GuardedStream, stderr: GuardedStream, isJson: boolean) {
  let last: string | null = null;
  return {
    isJson,
    /** Where a progress bar is seen; null if nowhere. */
    terminal: isJson ? null : stderr.terminal,
    /**
     * A result: a line of JSON with `--json`, else the text. A text of null prints nothing.
     * `hasSecret`: it has a secret that is shown only once.
     */
    result: (value: object, text: string | null, { hasSecret = false } = {}): void => {
      if (!isJson && text === null) return;
      const line = isJson ? jsonLine(value) : `${printable(text ?? '')}\n`;
      last = hasSecret ? null : line;
      stdout.write(line);
    },
    note: (text: string): void => stderr.write(`${printable(text)}\n`),
    /** A failure of the command, as a line of JSON. */
    error: (value: object): void => stderr.write(jsonLine(value)),
    /** The text of a file: as it is, unless a terminal shows it. */
    file: (text: string): void =>
      stdout.write(stdout.terminal !== null ? printable(text.replaceAll('\r', '')) : text),
    /** The last result that could not be written; null if each was. It has no new secret. */
    lost: (): string | null => (stdout.failure() === null ? null : last),
  };
}
export type Output = Readonly<ReturnType<typeof createOutput>>;

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
