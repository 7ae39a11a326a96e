import type { Sealer } from './sealer.ts';

/** Headers by their names in lower case. */
export type SealableHeaders = Readonly<Record<string, string>>;

/** What the sealed headers of a subscription belong to; not the owner of its secret. */
const ownerOf = (subscriptionId: string): string => `${subscriptionId}/headers`;

/** Seals the custom headers of a subscription, as its secret is sealed. */
export const sealHeaders = (
  sealer: Sealer,
  headers: SealableHeaders,
  subscriptionId: string,
): Buffer => sealer.seal(JSON.stringify(headers), ownerOf(subscriptionId));

/** Opens what {@link sealHeaders} has sealed; null, without custom headers, is none. */
export const openHeaders = (
  sealer: Sealer,
  sealed: Uint8Array | null,
  subscriptionId: string,
): SealableHeaders =>
  sealed === null
    ? {}
    : (JSON.parse(sealer.open(sealed, ownerOf(subscriptionId))) as SealableHeaders);
