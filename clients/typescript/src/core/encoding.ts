/** Bytes that are not text in UTF-8. Nothing was sent. */
export class EncodingError extends TypeError {
  override readonly name = 'EncodingError';
  /** The encoding that the bytes plainly have, such as `windows-1256`; null if it is not plain. */
  readonly encoding: string | null;
  constructor(problem: string, encoding: string | null) {
    super(
      `${problem}. Save the file as UTF-8, for example as "CSV UTF-8" in a spreadsheet, ` +
        'and send it again.',
    );
    this.encoding = encoding;
  }
}

const newLine = 0x0a;
/** The bytes that are Arabic letters or signs in windows-1256; its other letters are Latin. */
const isArabic1256 = (byte: number): boolean =>
  (byte >= 0xc0 && byte <= 0xdf && byte !== 0xd7) ||
  [
    0xe1, 0xe3, 0xe4, 0xe5, 0xe6, 0xec, 0xed, 0xf0, 0xf1, 0xf2, 0xf3, 0xf5, 0xf6, 0xf8, 0xfa,
  ].includes(byte) ||
  [0x81, 0x8d, 0x8e, 0x90, 0x98, 0x9a, 0xa1, 0xaa, 0xba, 0xbf].includes(byte);

/** A sequence of bytes beyond ASCII, and whether an ASCII letter is beside it. */
type Sequence = { readonly bytes: Uint8Array; readonly isInWord: boolean };

function sequencesBeyondAscii(bytes: Uint8Array): readonly Sequence[] {
  const isLetter = (at: number): boolean => {
    // The case bit of ASCII letters.
    const lower = (bytes[at] ?? 0) | 0x20;
    return lower >= 0x61 && lower <= 0x7a && (bytes[at] ?? 0) < 0x80;
  };
  const sequences: Sequence[] = [];
  for (let start = 0; start < bytes.length; start += 1) {
    if ((bytes[start] ?? 0) < 0x80) continue;
    let end = start;
    while ((bytes[end] ?? 0) >= 0x80) end += 1;
    const isInWord = isLetter(start - 1) || isLetter(end);
    sequences.push({ bytes: bytes.subarray(start, end), isInWord });
    start = end;
  }
  return sequences;
}

/** UTF-16 by its mark, or by a zero in half of the bytes of its ASCII characters. */
function utf16Of(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'UTF-16LE';
  if (first === 0xfe && second === 0xff) return 'UTF-16BE';
  const zeros = [0, 0];
  for (const [at, byte] of bytes.subarray(0, 4096).entries())
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > 0 && even === 0) return 'UTF-16LE';
  return even > 0 && odd === 0 ? 'UTF-16BE' : null;
}

/** The one-byte encoding of the bytes, by the words that Arabic and western text have. */
function oneByteEncodingOf(bytes: Uint8Array): string | null {
  const sequences = sequencesBeyondAscii(bytes);
  const arabic = sequences.filter(
    (sequence) => sequence.bytes.length > 1 && sequence.bytes.every(isArabic1256),
  );
  if (arabic.length > sequences.length * 0.6) return 'windows-1256';
  const isWestern = sequences.every((sequence) => sequence.bytes.length <= 2);
  return isWestern && sequences.some(({ isInWord }) => isInWord) ? 'windows-1252' : null;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The byte that begins the first sequence which is not UTF-8, and its line. */
function describeFirstByte(bytes: Uint8Array): string {
  // A decoder that keeps the mark returns a text for each whole character.
  const stream = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let line = 1;
  let first = 0;
  let isWhole = true;
  for (const byte of bytes) {
    if (isWhole) first = byte;
    try {
      isWhole = stream.decode(Uint8Array.of(byte), { stream: true }) !== '';
    } catch {
      break;
    }
    if (byte === newLine) line += 1;
  }
  return `the byte 0x${first.toString(16).toUpperCase().padStart(2, '0')} in line ${line}`;
}

/** The text of bytes in UTF-8, without a byte order mark. Throws an {@link EncodingError}. */
export function decodeUtf8(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes);
  if (utf16 !== null) throw new EncodingError(`The text is not UTF-8 but ${utf16}`, utf16);
  try {
    return utf8.decode(bytes);
  } catch {
    const encoding = oneByteEncodingOf(bytes);
    const named = encoding === null ? '' : `; its encoding looks like ${encoding}`;
    throw new EncodingError(
      `The text is not UTF-8 (${describeFirstByte(bytes)})${named}`,
      encoding,
    );
  }
}

/**
 * Throws an {@link EncodingError} for a text with half of a character, which a request would
 * replace by U+FFFD.
 */
export function requireWhole(text: string): void {
  if (/\p{Surrogate}/u.test(text))
    throw new EncodingError('The text has half of a character, a lone surrogate', null);
}
