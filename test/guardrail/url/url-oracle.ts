/**
 * Reads an ASCII URL character by character, with neither the URL parser nor the guardrail's
 * expressions, and says whether it may be accepted (ports 443 and 8443, no exempt origin). It takes
 * any `xn--` label for valid Punycode.
 */
export function isAllowedAscii(raw: string): boolean {
  if (raw.length > 2048) return false;
  for (const character of raw)
    if (character <= ' ' || character > '~' || character === '#' || character === '\\')
      return false;
  if (raw.slice(0, 8).toLowerCase() !== 'https://') return false;
  const end = raw.split('').findIndex((character, index) => index >= 8 && '/?'.includes(character));
  const authority = end === -1 ? raw.slice(8) : raw.slice(8, end);
  const colon = authority.indexOf(':');
  const host = colon === -1 ? authority : authority.slice(0, colon);
  return (
    (colon === -1 || isAllowedPort(authority.slice(colon + 1))) && isAllowedHost(host.toLowerCase())
  );
}

const digits = '0123456789';
const hexDigits = `${digits}abcdef`;
const letters = 'abcdefghijklmnopqrstuvwxyz';
const consistsOf = (text: string, alphabet: string) =>
  text.split('').every((character) => alphabet.includes(character));

const isAllowedPort = (text: string): boolean =>
  text.length > 0 &&
  text.length <= 5 &&
  consistsOf(text, digits) &&
  [443, 8443].includes(Number(text));

/**
 * In the URL standard a last label that is a number makes the whole host an IPv4 address, or
 * nothing.
 */
const isNumber = (text: string): boolean =>
  consistsOf(text, digits) || (text.startsWith('0x') && consistsOf(text.slice(2), hexDigits));

function isAllowedHost(host: string): boolean {
  const labels = host.split('.');
  const last = labels.at(-1) ?? '';
  if (labels.length < 2 || host.length > 253 || isNumber(last)) return false;
  if (['localhost', 'local', 'internal', 'svc', 'lan', 'corp', 'onion'].includes(last))
    return false;
  if (last === 'arpa' && labels.at(-2) === 'home') return false;
  return labels.every(isLabel);
}

function isLabel(label: string): boolean {
  if (label.length === 0 || label.length > 63 || !consistsOf(label, `${letters}${digits}-`))
    return false;
  return !label.startsWith('-') && !label.endsWith('-');
}
