import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Seals texts by authenticated encryption, each for one purpose. */
type Sealer = {
  readonly seal: (text: string, purpose: string) => Uint8Array;
  readonly open: (sealed: Uint8Array, purpose: string) => string;
};

/** What the gateway gives a browser and believes when it comes back. */
export type Seals = {
  readonly seal: (purpose: Purpose, value: object) => string;
  /** Null for a text that the gateway has not sealed for the purpose within the last 30 minutes. */
  readonly open: (purpose: Purpose, text: string) => unknown;
};
type Purpose = 'kept form';

const lifetimeMs = 30 * 60_000;
/** Above what a form may have. */
const valueBytesMax = 4 * 1024 * 1024;

export function createSeals(sealer: Sealer): Seals {
  return {
    seal: (purpose, value) => {
      const json = JSON.stringify([Date.now() + lifetimeMs, value]);
      const packed = deflateRawSync(json, { level: 1 }).toString('base64url');
      return Buffer.from(sealer.seal(packed, `console, ${purpose}`)).toString('base64url');
    },
    open: (purpose, text) => {
      try {
        const packed = sealer.open(Buffer.from(text, 'base64url'), `console, ${purpose}`);
        const bytes = Buffer.from(packed, 'base64url');
        const json = inflateRawSync(bytes, { maxOutputLength: valueBytesMax }).toString();
        const [untilMs, value] = JSON.parse(json) as [number, unknown];
        return Date.now() < untilMs ? value : null;
      } catch {
        return null;
      }
    },
  };
}
