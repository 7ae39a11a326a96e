import { fstatSync, writeFileSync } from 'node:fs';

/** A stream of the process, and what became of the texts that were written to it. */
export type GuardedStream = {
  /** Writes a text, unless an earlier one failed. */
  readonly write: (text: string) => void;
  /** The stream, if a terminal shows it. */
  readonly terminal: NodeJS.WriteStream | null;
  /** Why a text could not be written; null if every text was. */
  readonly failure: () => NodeJS.ErrnoException | null;
  /** Resolves when each text is written or has failed. */
  readonly flush: () => Promise<void>;
};

/** The descriptor of a regular file; null for another stream. */
function regularFile(stream: NodeJS.WriteStream): number | null {
  const { fd } = stream as { readonly fd?: unknown };
  return typeof fd === 'number' && fstatSync(fd).isFile() ? fd : null;
}

/** Keeps the first error of a stream, which would otherwise end the process, and reports it once. */
export function guardStream(
  stream: NodeJS.WriteStream,
  onFailure: () => void = () => {},
): GuardedStream {
  let first: NodeJS.ErrnoException | null = null;
  const fail = (error: Error): void => {
    if (first !== null) return;
    first = error;
    onFailure();
  };
  stream.on('error', fail);
  const file = regularFile(stream);
  return {
    terminal: stream.isTTY ? stream : null,
    write: (text) => {
      if (first !== null) return;
      try {
        // The stream of a file loses the rest of a text that a full disk takes in part.
        if (file === null) stream.write(text);
        else writeFileSync(file, text);
      } catch (error) {
        fail(error as Error);
      }
    },
    failure: () => first,
    flush: () =>
      new Promise((resolve) => {
        // The event of an error comes right after the end of its text.
        if (first !== null || stream.writableLength === 0) setImmediate(resolve);
        else stream.write('', () => setImmediate(resolve));
      }),
  };
}
