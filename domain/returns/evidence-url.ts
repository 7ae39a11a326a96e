/** White space, control characters and backslashes, which readers of URLs disagree about; NUL and lone surrogates, which none can keep. */
const dubious = /[\s\p{Cc}\p{Cs}\\]/u;

/** Whether a text is an absolute https URL without userinfo (D44). It is stored and shown, never fetched. */
export function isEvidenceUrl(text: string): boolean {
  const authority = /^https:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined || authority.includes('@') || dubious.test(text)) return false;
  return URL.canParse(text);
}
