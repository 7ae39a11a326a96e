/** The response of a receiver, as it arrived. */
export type KeptResponse = {
  /** The headers by lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The first bytes of the body; a copy of its own, so that a transfer copies nothing more. */
  readonly body: Uint8Array;
  /** The bytes of the body that were read. */
  readonly bodyBytes: number;
};

/** Collects the first `bytesMax` bytes of a body, and counts all. */
export function createResponseKeeper(bytesMax: number) {
  const pieces: Uint8Array[] = [];
  let kept = 0;
  let bodyBytes = 0;
  return {
    add: (piece: Uint8Array): void => {
      bodyBytes += piece.length;
      if (kept >= bytesMax) return;
      const part = piece.slice(0, bytesMax - kept);
      pieces.push(part);
      kept += part.length;
    },
    response: (headers: KeptResponse['headers']): KeptResponse => {
      // A copy, because a small buffer shares its memory with others.
      const body = new Uint8Array(Buffer.concat(pieces));
      return { headers, body, bodyBytes };
    },
  };
}
