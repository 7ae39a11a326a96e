import { readFile } from 'node:fs/promises';
import { decodeUtf8, EncodingError } from 'vendor-gateway-client';
import { usageError } from './exit.ts';

/** UTF-16 that begins with its mark; null for other bytes. */
function decodeUtf16(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  if (!isLittle && !isBig) return null;
  return new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be', { fatal: true }).decode(bytes);
}

/** The text of a file in UTF-8, or in UTF-16 with its mark. No character is replaced. */
export async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw usageError(`The file ${file} cannot be read: ${error.code ?? 'unknown reason'}`);
  });
  try {
    return decodeUtf16(bytes) ?? decodeUtf8(bytes);
  } catch (error) {
    if (error instanceof EncodingError)
      throw usageError(`The file ${file} cannot be read. ${error.message}`);
    if (error instanceof TypeError)
      throw usageError(`The file ${file} is not whole UTF-16`, 'Save it as UTF-8.');
    throw error;
  }
}
