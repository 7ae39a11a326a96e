/**
 * Characters that URL parsers disagree about (white space, control characters, backslashes) or that
 * cannot be stored (NUL, lone surrogates).
 */
const dubious = /[\s\p{Cc}\p{Cs}\\]/u;

/** Whether a text is an absolute https URL without userinfo (D44). The service never fetches it. */
export function isEvidenceUrl(text: string): boolean {
  const authority = /^https:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined || authority.includes('@') || dubious.test(text)) return false;
  return URL.canParse(text);
}
