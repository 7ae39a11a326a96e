import { hidden, hideKnown } from './hide-known.ts';

/**
 * What looks like a secret, and what replaces it. Each repetition that follows another one has a
 * bound, so that no text of a receiver takes long.
 */
const shapes: readonly (readonly [RegExp, string])[] = [
  [
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
    hidden,
  ],
  [/whsec_[\w+/=-]{8,}/g, hidden],
  [/\b(?:vs|os)_[\w-]{16,}/g, hidden],
  [/\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/g, hidden],
  [/\bv1,[\w+/]{40,}={0,2}/g, hidden],
  [/\b(bearer|basic|digest)\s{1,5}[\w.~+/=-]{8,}/gi, `$1 ${hidden}`],
  [/(:\/\/)[^\s/@"\\]{1,256}@/g, `$1${hidden}@`],
  [
    /((?:authorization|passw(?:or)?d|secret|token|api[_-]?key|signature|cookie|credential)[\w-]{0,32}\\?["']?\s{0,5}[:=]\s{0,5})(\\?"[^"\r\n]{1,2048}"?|\\?'[^'\r\n]{1,2048}'?|[^\s,;&"'}<[\]]{1,2048})/gi,
    `$1${hidden}`,
  ],
];

/**
 * The text without what looks like a secret, and without the known values, as {@link hideKnown}
 * finds them. `isCut`: the text may end within a value.
 */
export function redactText(text: string, known: readonly string[] = [], isCut = false): string {
  const without = hideKnown(text, known, isCut);
  return shapes.reduce((rest, [shape, replacement]) => rest.replace(shape, replacement), without);
}
