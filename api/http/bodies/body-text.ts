import { firstCharacters } from '../../../domain/texts/first-characters.ts';
import { validationErrors, type ApiError } from '../api-error.ts';

const refusal = (message: string): ApiError =>
  validationErrors({ field: 'Body', path: '', code: 'malformed', message });

const otherRefusal = (encoding: string): ApiError =>
  refusal(`is ${firstCharacters(encoding, 100)}; send it as UTF-8`);

/** The first bytes of a text in UTF-16 or UTF-32, and the name of its encoding. */
const otherMarks: readonly (readonly [readonly number[], string])[] = [
  [[0xff, 0xfe], 'UTF-16'],
  [[0xfe, 0xff], 'UTF-16'],
  [[0x00, 0x00, 0xfe, 0xff], 'UTF-32'],
];

/** The encoding that the first bytes of a text show, if it is not UTF-8. */
function otherEncoding(bytes: Uint8Array): string | undefined {
  const marked = otherMarks.find(([mark]) => mark.every((byte, index) => bytes[index] === byte));
  // Without a mark, one of the first two bytes of an ASCII character in UTF-16 is zero.
  return marked?.[1] ?? (bytes.subarray(0, 2).includes(0) ? 'UTF-16' : undefined);
}

/** A `charset` that is neither UTF-8 nor ASCII, which is a part of it. */
const otherCharset = /;\s*charset="?(?!(?:utf-?8|us-ascii)\b)([^\s;"]+)/i;

/**
 * Decodes a body of a content type piece by piece; without a piece, it ends the text. A byte order
 * mark of UTF-8 at the beginning is no part of the text. Throws for any other encoding, also if
 * only the `charset` names it: replacing or misreading bytes could make two different keys equal.
 */
export function createBodyDecoder(contentType = ''): (piece?: Uint8Array) => string {
  const charset = otherCharset.exec(contentType)?.[1];
  if (charset !== undefined) throw otherRefusal(charset);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  return (piece) => {
    if (isFirst && piece !== undefined) {
      const encoding = otherEncoding(piece);
      if (encoding !== undefined) throw otherRefusal(encoding);
      isFirst = piece.length === 0;
    }
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch {
      throw refusal('is not UTF-8');
    }
  };
}
