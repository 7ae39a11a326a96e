/**
 * Characters that URL parsers disagree about (white space, control characters, backslashes), that a
 * reader does not see (marks of direction) or that cannot be stored (NUL, lone surrogates).
 */
const dubious = /[\s\p{Cc}\p{Cf}\p{Cs}\\]/u;
const lengthMax = 2048;

/**
 * The normal form of an absolute https URL without userinfo, so that every reader of the stored
 * text sees the same host. Null for any other text, and when the normal form, in which some
 * characters become several, is longer than 2,048 characters. The service never fetches it.
 */
export function normalizeEvidenceUrl(text: string): string | null {
  const authority = /^https:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined || authority.includes('@') || dubious.test(text)) return null;
  const href = hrefOf(text);
  return href !== null && href.length <= lengthMax ? href : null;
}

/**
 * Not by `URL.canParse`, which in Node 20 refuses hosts with Latin-1 letters once it is compiled.
 */
function hrefOf(text: string): string | null {
  try {
    return new URL(text).href;
  } catch {
    return null;
  }
}
