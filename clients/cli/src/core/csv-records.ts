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

const quote = 0x22;
const equals = 0x3d;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** Blanks before the text of a cell. A tab may be the separator. */
const blankCodes = new Set([0x20, 0x09, 0xa0]);

/** A line with its line end. What follows a carriage return decides whether it is a line end. */
const firstLine = /^[^\r\n]*(\r\n|\n|\r(?!$))/;

/** Comma, semicolon or tab separates the cells of a file. */
export const separators = [',', ';', '\t'] as const;

/** The most records whose quote stays open: what is below the first line of each is read again. */
export const openQuotesMax = 100;

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
 * it are read. `refuse` ends the reading of a file with more than {@link openQuotesMax} of these.
 */
export function splitRecords(
  onRecord: (record: CsvRecord) => void,
  refuse: () => never,
): RecordSplitter {
  let rest = '';
  /** Where the record begins, and how far it is read. */
  let start = 0;
  let at = 0;
  let row = 0;
  let isQuoted = false;
  let openQuotes = 0;
  /** Whether a quote would begin a text here: at the beginning of a cell, or after `=` there. */
  let isCellStart = true;
  let isAfterEquals = false;
  let separatorCodes = new Set(separators.map((each) => each.charCodeAt(0)));
  /** The rest of a line that is too long belongs to no record. */
  let isSkipping = false;

  const take = (end: number, next: number, isWhole: boolean): void => {
    if (!isSkipping) {
      row += 1;
      const text = rest.slice(start, end);
      // A character has at most three bytes.
      const fits = text.length * 3 <= recordMax || Buffer.byteLength(text) <= recordMax;
      onRecord({ row, text: isWhole && fits ? text : null });
    }
    start = next;
    at = next;
    isQuoted = false;
    isCellStart = true;
    isAfterEquals = false;
    isSkipping = false;
  };

  /** Ends a record that is too long or whose quote has no end. */
  const breakRecord = (): void => {
    const [line, lineEnd] = (isQuoted && firstLine.exec(rest.slice(start, at + 1))) || [];
    if (line !== undefined) {
      openQuotes += 1;
      if (openQuotes > openQuotesMax) refuse();
      take(start + line.length - (lineEnd?.length ?? 0), start + line.length, false);
      return;
    }
    if (!isSkipping) {
      row += 1;
      onRecord({ row, text: null });
    }
    start = at;
    isQuoted = false;
    isSkipping = true;
  };

  const scan = (isEnd: boolean): void => {
    // What follows a quote or a carriage return decides on it.
    while (at < rest.length - (isEnd ? 0 : 1)) {
      const code = rest.charCodeAt(at);
      if (isSkipping ? false : isQuoted) {
        if (code === quote) {
          if (rest.charCodeAt(at + 1) === quote) at += 1;
          else isQuoted = false;
        }
      } else if (code === lineFeed || code === carriageReturn) {
        const isPair = code === carriageReturn && rest.charCodeAt(at + 1) === lineFeed;
        take(at, at + (isPair ? 2 : 1), true);
        continue;
      } else if (code === quote && isCellStart) isQuoted = true;
      const isBefore = isCellStart && !isAfterEquals;
      isAfterEquals = code === equals && isBefore;
      isCellStart = separatorCodes.has(code) || isAfterEquals || (isBefore && blankCodes.has(code));
      at += 1;
      if (at - start > recordMax) breakRecord();
    }
  };

  const isOpen = (): boolean => isQuoted;

  return {
    separateBy: (separator) => {
      separatorCodes = new Set([separator.charCodeAt(0)]);
    },
    write: (text) => {
      rest = rest.slice(start) + text;
      at -= start;
      start = 0;
      scan(false);
    },
    end: () => {
      // A quote without an end ends its line only: what is below it is read again.
      for (scan(true); isOpen(); scan(true)) breakRecord();
      if (start < rest.length) take(rest.length, rest.length, true);
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
