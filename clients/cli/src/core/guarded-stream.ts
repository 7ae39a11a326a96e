import { fstatSync, writeFileSync } from 'node:fs';

/** The descriptor of a regular file; null for another stream. */
function regularFile(stream: NodeJS.WriteStream): number | null {
  const { fd } = stream as { readonly fd?: unknown };
  return typeof fd === 'number' && fstatSync(fd).isFile() ? fd : null;
}

/**
 * A stream of the process, and what became of the texts that were written to it. Keeps the first
 * error of the stream, which would otherwise end the process, and reports it once.
 */
export function guardStream(stream: NodeJS.WriteStream, onFailure: () => void = () => {}) {
  let first: NodeJS.ErrnoException | null = null;
  const fail = (error: Error): void => {
    if (first !== null) return;
    first = error;
    onFailure();
  };
  stream.on('error', fail);
  const file = regularFile(stream);
  return {
    /** The stream, if a terminal shows it. */
    terminal: stream.isTTY ? stream : null,
    /** Writes a text, unless an earlier one failed. */
    write: (text: string): void => {
      if (first !== null) return;
      try {
        // The stream of a file loses the rest of a text that a full disk takes in part.
        if (file === null) stream.write(text);
        else writeFileSync(file, text);
      } catch (error) {
        fail(error as Error);
      }
    },
    /** Why a text could not be written; null if every text was. */
    failure: () => first,
    /** Resolves when each text is written or has failed. */
    flush: () =>
      new Promise<void>((resolve) => {
        // The event of an error comes right after the end of its text.
        if (first !== null || stream.writableLength === 0) setImmediate(resolve);
        else stream.write('', () => setImmediate(resolve));
      }),
  };
}
export type GuardedStream = Readonly<ReturnType<typeof guardStream>>;
