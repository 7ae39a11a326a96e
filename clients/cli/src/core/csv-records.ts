/**
 * The records and the cells of a CSV file (RFC 4180, and as spreadsheets write it). The
 * command line has a copy of this file, so that both read a file alike: a test compares the copies.
 */

/** The most of a record, in bytes and in characters. */
const recordMax = 64 * 1024;

/** Columns up to the last one that has a name. */
export const columnsMax = 200;

/** A first line `sep=;` names the separator, as spreadsheets write it. */
export const separatorLine = /^"?sep=([^\w\s"]|\t)"?[,;\t]*$/i;

/** A record with its number in the file, from 1. `text` is null for one without an end. */
export type CsvRecord = { readonly row: number; readonly text: string | null };

/** Comma, semicolon or tab separates the cells of a file. */
export const separators = [',', ';', '\t'] as const;

const lineEnd = /\r\n?|\n/g;
const quotes = /""?/g;
/**
 * What a reader looks for outside quoted texts: the beginning of one, at the beginning of a cell or
 * after `=` there, and line ends.
 */
function signsOf(separators: readonly string[]): RegExp {
  const blank = separators.includes('\t') ? '[ \\u00a0]' : '[ \\t\\u00a0]';
  const cellStart = `(?:^|[${separators.map((each) => `\\${each}`).join('')}])${blank}*`;
  return new RegExp(`${cellStart}=?(?:"|$)|${lineEnd.source}`, 'g');
}

/** Splits the text of a CSV file, which arrives in pieces, into its records. */
export type RecordSplitter = {
  readonly write: (text: string) => void;
  readonly end: () => void;
  /** Names the separator of the records below. Until then it may be any of {@link separators}. */
  readonly separateBy: (separator: string) => void;
};

/**
 * A quote at the beginning of a cell, or after `=` there, begins a text that may have line ends. If
 * it does not end within {@link recordMax}, the record is its first line, so that the records below
 * it are read.
 */
export function splitRecords(onRecord: (record: CsvRecord) => void): RecordSplitter {
  /** The text from where the record begins, and how far it is read. */
  let rest = '';
  let at = 0;
  let row = 0;
  let isQuoted = false;
  /** The rest of a line that is too long belongs to no record. */
  let isSkipped = false;
  let signs = signsOf(separators);

  /** Goes on at `next` with a record or, in a line that is too long, with its rest. */
  const goOn = (next: number): void => {
    rest = rest.slice(next);
    at = 0;
    isQuoted = false;
  };
  const take = (text: string, next: number): void => {
    goOn(next);
    row += 1;
    // A character has at most three bytes.
    const fits = text.length * 3 <= recordMax || Buffer.byteLength(text) <= recordMax;
    onRecord({ row, text: fits ? text : null });
  };

  /** Ends a record that is too long or whose quote has no end. */
  const breakRecord = (): void => {
    const text = rest.slice(0, recordMax + 1);
    const end = isQuoted ? text.search(lineEnd) : -1;
    isSkipped = end < 0;
    goOn(isSkipped ? text.length : end + (text.startsWith('\r\n', end) ? 2 : 1));
    row += 1;
    onRecord({ row, text: null });
  };

  const scan = (isEnd: boolean): void => {
    for (;;) {
      const wanted = isSkipped ? lineEnd : isQuoted ? quotes : signs;
      wanted.lastIndex = at;
      const { 0: sign, index } = wanted.exec(rest) ?? { 0: '', index: rest.length };
      const next = index + sign.length;
      const isLineEnd = sign.startsWith('\r') || sign === '\n';
      if (!isSkipped && (isLineEnd ? index : next - 1) > recordMax) breakRecord();
      else if (next === rest.length && !isEnd) {
        // What follows in the next piece may belong to the sign.
        if (isSkipped) goOn(index);
        else at = index;
        return;
      } else if (isLineEnd && isSkipped) {
        isSkipped = false;
        goOn(next);
      } else if (isLineEnd) take(rest.slice(0, index), next);
      else {
        at = next;
        if (sign.endsWith('"') && sign !== '""') isQuoted = !isQuoted;
        else if (next === rest.length) return;
      }
    }
  };

  const isOpen = (): boolean => isQuoted;

  return {
    separateBy: (separator) => {
      signs = signsOf([separator]);
    },
    write: (text) => {
      rest += text;
      scan(false);
    },
    end: () => {
      // A quote without an end ends its line only: what is below it is read again.
      for (scan(true); isOpen(); scan(true)) breakRecord();
      if (rest !== '' && !isSkipped) take(rest, rest.length);
    },
  };
}

/** A cell; null if a text follows its closing quote. */
export type CsvCell = { readonly text: string | null; readonly isQuoted: boolean };

/** The cells of a record, at most `max`, and the text of the others. */
export type CsvCells = { readonly cells: readonly CsvCell[]; readonly rest: string };

/** Reads the cells of a record, without the blanks around them, and `="…"` as the text in it. */
export function readCells(record: string, separator: string, max: number): CsvCells {
  const opening = separator === '\t' ? /[ \u00a0]*=?"/y : /[ \t\u00a0]*=?"/y;
  const cells: CsvCell[] = [];
  for (let at = 0; ; at += 1) {
    if (cells.length === max) return { cells, rest: record.slice(at) };
    opening.lastIndex = at;
    const isQuoted = opening.test(record);
    const begin = isQuoted ? opening.lastIndex : at;
    const end = isQuoted ? endOfQuoted(record, begin) : at;
    const next = record.indexOf(separator, end);
    const stop = next < 0 ? record.length : next;
    const isClosed = record.slice(end, stop).trim() === '';
    const inner = record.slice(begin, end - 1).replaceAll('""', '"');
    cells.push(
      isQuoted
        ? { text: isClosed ? withoutFormula(inner) : null, isQuoted }
        : { text: record.slice(at, stop).trim(), isQuoted },
    );
    at = stop;
    if (at >= record.length) return { cells, rest: '' };
  }
}

/** Behind the closing quote of a text that begins here. Only doubled quotes are within it. */
function endOfQuoted(record: string, begin: number): number {
  for (let at = begin; ; at += 2) {
    at = record.indexOf('"', at);
    if (at < 0) return record.length + 1;
    if (record[at + 1] !== '"') return at + 1;
  }
}

/** Spreadsheets write a text that looks like a number as a formula. */
const withoutFormula = (text: string): string =>
  /^="[^"]*"$/.test(text) ? text.slice(2, -1) : text;

/** Whether a text has only separators, spaces and empty texts. */
export const isBlank = (text: string, separator: string): boolean =>
  text.replaceAll(separator, '').replaceAll('"', '').trim() === '';
